import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import { formatBytes } from "@/components/numbers/format";
import { t } from "@/words";

/** The largest upload in bytes; no limit until the server has reported it. */
export function useUploadLimit(): number {
  return useQuery(systemQueries.health()).data?.max_upload_bytes ?? Number.POSITIVE_INFINITY;
}

export function sizeOf(files: readonly File[]): number {
  return files.reduce((total, { size }) => total + size, 0);
}

/** Why files are not sent at all. */
export function tooLarge(files: readonly File[], limit: number): string {
  return t(
    "{count, plural, one {This file has} other {These files have}} {size} together. At most {limit} can be uploaded at a time.",
    { count: files.length, size: formatBytes(sizeOf(files)), limit: formatBytes(limit) },
  );
}
