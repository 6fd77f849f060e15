/** Pictures in the data of a coded item. */
export interface CodedPictures {
  /** Pixels of the largest picture. 0 if the data does not contain a size. */
  largest: number;
  /** Number of pictures in the data of a coded item, usually one. */
  pictures: number;
}
