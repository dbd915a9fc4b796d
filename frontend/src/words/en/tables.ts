export const tables = {
  find: "Find",
  columns: "Columns",
  columnsName: "Choose the columns",
  dense: "Dense rows",
  copy: "Copy as CSV",
  copied: "Copied",
  copiedText: (rows: string) => `${rows} rows are on the clipboard.`,
  copyFailed: "The browser does not allow copying here.",
  sortUp: (column: string) => `Sort by ${column}, smallest first`,
  sortDown: (column: string) => `Sort by ${column}, largest first`,
  sortNot: "In their own order again",
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all rows shown",
  selected: (count: string) => (count === "1" ? "1 selected" : `${count} selected`),
  clear: "Clear the selection",
  nothing: "Nothing here fits what is sought.",
  shown: (some: string, all: string) => {
    if (some !== all) return `${some} of ${all} rows`;
    return all === "1" ? "1 row" : `${all} rows`;
  },
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  previous: "Previous page",
  next: "Next page",
  beyond: "The list ends before this page.",
  last: "Last page",
};
