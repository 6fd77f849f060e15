/** What the data of a coded item says of its pictures. */
export interface Coded {
  /** Pixels of the largest picture; 0 where the data does not say. */
  largest: number;
  /** Pictures in the data: usually one. */
  pictures: number;
}
