/** Reads the files of a drop or a file dialog, including files in folders, with their paths. */
export interface PickedFile {
  file: File;
  /** Path of the file's folder, such as "Alps/First day"; '' without a folder. */
  folder: string;
  /** The browser may not read this file or folder, and knows only its name. */
  isClosed?: true;
}

/** The files last chosen or dropped, and the path of the page at that time. */
export interface ChosenFiles {
  picked: PickedFile[];
  at: string;
}

/** Names that begin with a dot are hidden. An import needs them, because they tell which program wrote a folder. */
export async function readDroppedFiles(
  transfer: DataTransfer,
  { withHidden = false } = {},
): Promise<PickedFile[]> {
  // All entries are read at once, because a drop's data is gone after its event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return readChosenFiles(transfer.files);
  const found = await Promise.all(entries.map((entry) => readEntry(entry, '', withHidden)));
  return found.flat();
}

/** Reads the files of an input element, which may be a folder input. */
export function readChosenFiles(files: FileList | null): PickedFile[] {
  return [...(files ?? [])].map((file) => ({
    file,
    folder: file.webkitRelativePath.replace(/\/?[^/]*$/, ''),
  }));
}

/**
 * Returns the time of a file's last change by the clock of this browser, `YYYY-MM-DD HH:MM:SS`, or '' for a time that
 * no calendar has.
 */
export function formatFileModifiedTime({ lastModified }: File): string {
  const local = lastModified - new Date(lastModified).getTimezoneOffset() * 60_000;
  if (!(local > Date.UTC(1000, 0) && local < Date.UTC(10_000, 0))) return '';
  return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
}

async function readEntry(entry: FileSystemEntry, folder: string, withHidden: boolean): Promise<PickedFile[]> {
  if (entry.name.startsWith('.') && !withHidden) return [];
  const found: PickedFile[] = [];
  try {
    if (entry.isFile) return [{ file: await readFile(entry as FileSystemFileEntry), folder }];
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const inner = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // The browser returns at most a hundred entries per call.
    for (let some = await readDirectory(reader); some.length > 0; some = await readDirectory(reader)) {
      for (const one of some)
        for (const picked of await readEntry(one, inner, withHidden)) found.push(picked);
    }
  } catch {
    // An unreadable entry is listed by name; other entries are read normally.
    found.push({ file: new File([], entry.name), folder, isClosed: true });
  }
  return found;
}

const readFile = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));
const readDirectory = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
