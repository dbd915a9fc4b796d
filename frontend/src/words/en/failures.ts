export const failures = {
  title: (count: string) => (count === "1" ? "1 question failed" : `${count} questions failed`),
  recent: "The last ones, newest first",
  retry: (count: string) => `Retry ${count} failed`,
  all: (count: string) => (count === "1" ? "The failed question" : `All ${count} failed questions`),
  allOf: (count: string, run: string) => `${count} of ${run}`,
  more: (count: string) => `and of ${count} more configurations, in the table below`,
};
