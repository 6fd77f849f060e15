/** Albums of several people as cards, each with the name of its owner. */
import { AlbumCard } from '../albums/card.tsx';
import type { Album } from '../api/types.ts';

export function AllAlbumCards({ albums }: { albums: Album[] }) {
  return (
    <ul className="album-cards">
      {albums.map((album) => (
        <AlbumCard key={album.id} nest={{ album, inner: [] }} hasOwner />
      ))}
    </ul>
  );
}
