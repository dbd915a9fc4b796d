import { Button, Group, Stack } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { ProblemNotice } from "./ProblemNotice";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  /** Called with what the fields hold, by their names. */
  onSubmit: (fields: Record<string, FormDataEntryValue>) => unknown;
}

/** A form that the page sends: a button of the type `submit` sends it, and so does Enter. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(Object.fromEntries(new FormData(event.currentTarget)));
      }}
    />
  );
}

interface RowProps {
  /** Label of the button. */
  send: string;
  isReady?: boolean;
  onSubmit: () => unknown;
  /** What it sends; why it was refused is shown below a title that names the failed action. */
  request?: { isPending: boolean; error: unknown };
  problem?: string;
  children: ReactNode;
}

/** A few fields in a row, and the button that sends them. */
export function RowForm({ send, isReady = true, onSubmit, request, problem, children }: RowProps) {
  return (
    <Form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Group align="flex-end">
          {children}
          <Button type="submit" variant="default" loading={request?.isPending ?? false} disabled={!isReady}>
            {send}
          </Button>
        </Group>
        <ProblemNotice error={request?.error} {...(problem ? { title: problem } : {})} />
      </Stack>
    </Form>
  );
}
