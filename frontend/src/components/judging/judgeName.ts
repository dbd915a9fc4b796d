import { t } from "@/words";

/** A judge as results name it: with a word where people have rated none of the answers it judged in a column. */
export function judgeName(judge: string, rated: number): string {
  return rated > 0 ? judge : t("{judge} (uncalibrated)", { judge });
}
