import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { markStale } from "@/api/freshness";
import { useJob } from "@/api/jobs";
import { useSendDocuments } from "@/api/materials";
import { Problem } from "@/api/problem";
import { asPart, formData } from "@/api/upload";
import { type IngestReport, reportOf } from "./report";

/** Where documents come from. */
export type Source =
  | { kind: "files"; files: File[] }
  | { kind: "text"; title: string; text: string }
  | { kind: "address"; url: string };

/** How documents become passages; null leaves it to the collection that they are added to. */
type Making = { chunk_size: number; chunk_overlap: number; embedding: string } | null;

type End = (collection: string, report: IngestReport, isHere: boolean) => void;

/** Send documents to a collection and follow the job; `onEnd` gets what became of each document. */
export function useIngest(onEnd: End) {
  const [collection, setCollection] = useState("");
  const [refused, setRefused] = useState<Problem | null>(null);
  const { files, text, address } = useSendDocuments();
  const cache = useQueryClient();
  const job = useJob({
    changes: ["collections"],
    onDone: ({ result }, isHere) => onEnd(collection, reportOf(result), isHere),
  });

  const send = (name: string, source: Source, making: Making) => {
    const params = { path: { name } };
    const { embedding, ...cut } = making ?? {};
    const chunking = making && {
      chunk_size: making.chunk_size,
      chunk_overlap: making.chunk_overlap,
      unit: "characters" as const,
    };
    const bound = { chunking, embedding: embedding ?? null };
    switch (source.kind) {
      case "files":
        return files.mutateAsync({
          params,
          body: { files: source.files.map(asPart), ...cut, ...(embedding ? { embedding } : {}) },
          bodySerializer: formData,
        });
      case "text":
        return text.mutateAsync({ params, body: { title: source.title, text: source.text, ...bound } });
      case "address":
        return address.mutateAsync({ params, body: { url: source.url, ...bound } });
    }
  };
  const start = async (name: string, source: Source, making: Making) => {
    job.follow(null);
    setRefused(null);
    setCollection(name);
    try {
      const accepted = await send(name, source, making);
      job.follow(accepted.job_id);
      void markStale(cache, ["jobs"]);
    } catch (error) {
      if (error instanceof Problem) setRefused(error);
    }
  };

  const sending = files.isPending || text.isPending || address.isPending;
  return { start, busy: sending || job.isBusy, running: job.running, problem: refused ?? job.problem };
}
