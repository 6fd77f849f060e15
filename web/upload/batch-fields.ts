/** The fields of a batch: each new photo of the upload gets them. */
export interface BatchFields {
  /** '' gives each photo the name of its file. */
  title: string;
  tags: string;
  isPublic: boolean;
  /** 0 is no album. */
  album: number;
  /** Folders become albums inside `album`. */
  asAlbums: boolean;
}
