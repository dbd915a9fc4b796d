/** The drawing of codes that the wallet library ships with, as source only; tsconfig.json points here. */
export default class QRCode {
  constructor(version: number, correction: number);
  modules: (boolean | null)[][];
  addData(text: string): void;
  make(): void;
}
