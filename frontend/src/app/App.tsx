import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { optional } from "@/api/chunks";
import { PROJECT_PATH } from "@/api/project";
import { createCache } from "@/api/queries";
import { awaitSession } from "@/api/session";
import { showProblem, showWarning } from "@/components/notices";
import { createAppRouter } from "./router";
import { SignInGate } from "./SignInGate";
import { theme } from "./theme";

// Not needed to draw the page: it comes after the first paint.
const NoticeBoard = lazy(optional(() => import("./NoticeBoard")));
// Opened by a rater's link, which needs no account and shows nothing else: no session, navigation or route is loaded.
const RaterPage = lazy(
  optional(async () => ({ default: (await import("@/features/rating/RaterPage")).RaterPage })),
);
const isRater = globalThis.location.pathname === `${PROJECT_PATH}/rate`;
if (!isRater) awaitSession();
const cache = createCache(showProblem, showWarning);
const router = createAppRouter(cache);

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Suspense>
        <NoticeBoard />
      </Suspense>
      <QueryClientProvider client={cache}>
        {isRater ? (
          <Suspense>
            <RaterPage />
          </Suspense>
        ) : (
          <SignInGate>
            <RouterProvider router={router} />
          </SignInGate>
        )}
      </QueryClientProvider>
    </MantineProvider>
  );
}
