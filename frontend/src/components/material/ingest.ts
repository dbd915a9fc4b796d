import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { isLive, problemOf, useJob } from "@/api/jobs";
import { Problem } from "@/api/problem";
import { asPart, formData } from "@/api/upload";
import { type IngestReport, reportOf } from "./report";

/** Where documents come from. */
export type Source =
  | { kind: "files"; files: File[] }
  | { kind: "text"; title: string; text: string }
  | { kind: "address"; url: string };

/** How documents become passages; null leaves it to the collection that they are added to. */
export type Making = { chunk_size: number; chunk_overlap: number; embedding: string } | null;

const SHOWN = { meta: { shown: true } };

/** Send documents to a collection and follow the job; `onEnd` gets what became of each document. */
export function useIngest(onEnd: (collection: string, report: IngestReport) => void) {
  const [started, setStarted] = useState<{ job: string; collection: string } | null>(null);
  const [refused, setRefused] = useState<Problem | null>(null);
  const files = api.useMutation("post", "/api/v1/collections/{name}/documents", SHOWN);
  const text = api.useMutation("post", "/api/v1/collections/{name}/texts", SHOWN);
  const address = api.useMutation("post", "/api/v1/collections/{name}/addresses", SHOWN);
  const cache = useQueryClient();
  const job = useJob(started?.job ?? null, async (ended) => {
    if (ended.state === "failed" || !started) return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/collections"] });
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/collections/{name}/passages"] });
    onEnd(started.collection, reportOf(ended.result));
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
    setStarted(null);
    setRefused(null);
    try {
      const accepted = await send(name, source, making);
      setStarted({ job: accepted.job_id, collection: name });
    } catch (error) {
      if (error instanceof Problem) setRefused(error);
    }
  };

  const sending = files.isPending || text.isPending || address.isPending;
  const running = job && isLive(job) ? job : null;
  // Between the job's id and its first news it is as good as running.
  const waiting = started !== null && job === undefined;
  return { start, busy: sending || waiting || running !== null, running, problem: refused ?? problemOf(job) };
}
