import { Button, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { judgingQueries, useReserveItem } from "@/api/judging";
import { accountQueries } from "@/api/session";
import { Form } from "@/components/Form";
import { useMay } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { ClosedPage, PageState } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { ServerText } from "@/components/ServerText";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { CpsCheck } from "./CpsCheck";
import { Desk } from "./Desk";
import { Queue } from "./Queue";
import type { QueuePlace } from "./queue";

const route = getRouteApi("/rate/$id");

/**
 * The answers of a random draw, rated one by one, or with `of=pairs` pairs of answers of a sweep. Nothing on the page
 * tells configuration or judge beforehand. One route for both keeps the first load small.
 */
export function RatingPage(): ReactNode {
  const { id } = route.useParams();
  const { rater, of } = route.useSearch();
  const may = useMay();
  const session = useQuery(accountQueries.session());
  if (of === "pairs") return <CpsCheck id={id} />;
  if (!may) return <ClosedPage title={t("Answer ratings")} />;
  if (session.isPending) return <Waiting height={320} />;
  // Who is signed in rates under the name of the account, whatever a shared link says.
  const account = session.data?.account;
  if (account) return <Draw key={account} draw={id} rater={account} />;
  return rater === undefined ? <NameForm /> : <Draw key={rater} draw={id} rater={rater} />;
}

function NameForm() {
  const navigate = route.useNavigate();
  const [name, setName] = useState("");
  const begin = () => {
    if (name.trim()) void navigate({ search: { rater: name.trim() } });
  };
  return (
    <>
      <PageHead
        title={t("Answer ratings")}
        lead={t(
          "You see one answer at a time, without its configuration and without the judge. The judge’s value is shown after you have saved your own.",
        )}
      />
      <Form onSubmit={begin}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t("Name of the rater")}
            description={t("Ratings are saved under this name.")}
            inputWrapperOrder={["label", "description", "input", "error"]}
            {...bindText(name, setName)}
            maxLength={100}
          />
          <Button type="submit" disabled={name.trim() === ""}>
            {t("Start rating")}
          </Button>
        </Group>
      </Form>
    </>
  );
}

function Draw({ draw, rater }: { draw: string; rater: string }) {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(judgingQueries.queue(draw, rater));
  const reserve = useReserveItem();
  if (!query.data) return <PageState query={query} height={320} />;
  const { column, summary, levels } = query.data;
  const places = query.data.places.map(({ item, ...place }): QueuePlace => ({ id: item, ...place }));
  return (
    <>
      <PageHead title={t("Answer ratings: {column}", { column })} lead={<ServerText text={summary} />} />
      <Queue
        places={places}
        // The address keeps the place, so that a reload and a shared link open the same answer.
        place={at === undefined ? undefined : Math.min(Math.max(0, at - 1), places.length)}
        onPlace={(to) => void navigate({ search: { rater, at: to + 1 }, replace: true })}
        reserve={reserve}
        handOut={(after, found) =>
          reserve.mutate(
            { params: { path: { draw_id: draw } }, body: { rater, after } },
            { onSuccess: ({ place }) => found(place ?? null) },
          )
        }
        reload={() => query.refetch()}
        done={t("You have rated all answers of this draw. Thank you.")}
      >
        {({ id }, { place, onBack, onNext }) => (
          <Desk
            key={id}
            draw={draw}
            item={id}
            rater={rater}
            column={column}
            levels={levels}
            position={t("Answer {place, number} of {total, number}", {
              place: place + 1,
              total: places.length,
            })}
            onBack={onBack}
            onNext={onNext}
          />
        )}
      </Queue>
    </>
  );
}
