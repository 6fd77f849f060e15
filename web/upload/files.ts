/** The files of a drop or a choice, those in folders, too, each with where it was. */
export interface PickedFile {
  file: File;
  /** "Alps/First day": the folders that it was found in; '' for none. */
  folder: string;
  /** A file or a folder that the browser may not open: only its name is known. */
  isClosed?: true;
}

/** The last choice or drop of files, and the path of the page that got it. */
export interface FileSelection {
  picked: PickedFile[];
  at: string;
}

export async function readDroppedFiles(transfer: DataTransfer): Promise<PickedFile[]> {
  // All entries are taken at once: a drop is empty as soon as its event is over.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return readChosenFiles(transfer.files);
  const found = await Promise.all(entries.map((entry) => readEntry(entry, '')));
  return found.flat();
}

/** Of an input, which may be one for folders. */
export function readChosenFiles(files: FileList | null): PickedFile[] {
  return [...(files ?? [])].map((file) => ({
    file,
    folder: file.webkitRelativePath.replace(/\/?[^/]*$/, ''),
  }));
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<PickedFile[]> {
  if (entry.name.startsWith('.')) return [];
  const found: PickedFile[] = [];
  try {
    if (entry.isFile) return [{ file: await readFile(entry as FileSystemFileEntry), folder }];
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const inner = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // A hundred at a time.
    for (let some = await readDirectory(reader); some.length > 0; some = await readDirectory(reader)) {
      for (const one of some) for (const picked of await readEntry(one, inner)) found.push(picked);
    }
  } catch {
    // It stands for itself: the others are taken.
    found.push({ file: new File([], entry.name), folder, isClosed: true });
  }
  return found;
}

const readFile = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));
const readDirectory = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
