interface Limits {
  budget: string;
  price: string;
  /** Of the judge that the sweep records. */
  judgePrice?: string;
}

/** A typed budget with its prices as the server reads it; nothing where nothing is typed. */
export function budgetOf({ budget, price, judgePrice = "" }: Limits) {
  const typed = { price: price.trim(), judge_price: judgePrice.trim() };
  const prices = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ""));
  return { ...(budget.trim() === "" ? {} : { budget: [budget.trim()] }), ...prices };
}

/** Limits and prices as the server reads them. */
export type Budget = ReturnType<typeof budgetOf>;
