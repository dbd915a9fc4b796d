import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";
import { inProject } from "@/api/project";
import { useMayOpen } from "@/components/ForRole";

/** Mantine's looks over the router's links: typed addresses, client-side navigation. */

type Native<Props> = Props & Omit<ComponentPropsWithRef<"a">, keyof Props>;

export const AnchorLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />);

/** A link among small text, or above a title. */
export const SmallLink = createLink((props: Native<AnchorProps>) => <Anchor size="sm" {...props} />);

/** A link to the next step; hidden from roles that can do nothing on its page. */
export const ButtonLink = createLink(
  (props: Native<ButtonProps>) => useMayOpen()(props.href) && <Button component="a" {...props} />,
);

export const NavigationLink = createLink(
  (props: Native<NavLinkProps>) => useMayOpen()(props.href) && <NavLink component="a" {...props} />,
);

/** A link that saves a file of the server. */
export function FileLink({ address, ...props }: Native<AnchorProps> & { address: string }) {
  return <Anchor size="sm" href={inProject(address)} download {...props} />;
}
