/** Verifies a bundle apart from the page, which stays responsive whatever the file holds. */
import { verify } from "@/verify";

self.onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    self.postMessage({ found: await verify(new Uint8Array(await file.arrayBuffer())) });
  } catch {
    // The browser could not read or hold the file.
    self.postMessage({ found: undefined });
  }
};
