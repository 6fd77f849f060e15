/** The pictures in the data of a coded item. */
export interface Coded {
  /** Pixels of the largest picture; 0 where the data does not say it. */
  largest: number;
  /** Pictures in the data: usually one. */
  pictures: number;
}
