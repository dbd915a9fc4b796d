import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { budgetOf } from "@/api/budget";
import { Problem } from "@/api/problem";
import { useResumeSweep } from "@/api/steering";
import { Form } from "@/components/Form";
import { forRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { t } from "@/words";

/** Id of the field of the larger budget. */
export const NEW_BUDGET = "new-budget";

/** A larger budget for a sweep that has used up its own. */
export const RaiseBudget = forRole("researcher", function RaiseBudget({ id }: { id: string }) {
  const [budget, setBudget] = useState("");
  const [price, setPrice] = useState("");
  const resume = useResumeSweep();
  const start = () => {
    resume.mutate({ params: { path: { sweep_id: id, act: "resume" }, query: budgetOf({ budget, price }) } });
  };
  const refused = resume.error instanceof Problem ? resume.error : null;
  const isOfPrice = refused?.errors.some(({ field }) => field === "price") ?? false;
  const needsPrice = isOfPrice || price !== "";
  return (
    <Form onSubmit={start}>
      <Group gap="xs" align="flex-end" mt="xs">
        <TextInput
          id={NEW_BUDGET}
          w="min(100%, 18rem)"
          label={t("New budget")}
          placeholder="400k-tokens, 4h"
          {...bindText(budget, setBudget)}
          error={refused && !isOfPrice ? refused.message : null}
        />
        {needsPrice && (
          <TextInput
            w="min(100%, 18rem)"
            label={t("Price of a million tokens")}
            {...bindText(price, setPrice)}
            error={isOfPrice ? refused?.message : null}
          />
        )}
        <Button type="submit" variant="default" loading={resume.isPending} disabled={budget.trim() === ""}>
          {t("Resume with this budget")}
        </Button>
      </Group>
    </Form>
  );
});
