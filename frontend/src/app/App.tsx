import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { optional } from "@/api/chunks";
import { createCache } from "@/api/queries";
import { showProblem, showWarning } from "@/components/notices";
import { createAppRouter } from "./router";
import { SignInGate } from "./SignInGate";
import { theme } from "./theme";

// Not needed to draw the page: it comes after the first paint.
const NoticeBoard = lazy(optional(() => import("./NoticeBoard")));
const cache = createCache(showProblem, showWarning);
const router = createAppRouter(cache);

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Suspense>
        <NoticeBoard />
      </Suspense>
      <QueryClientProvider client={cache}>
        <SignInGate>
          <RouterProvider router={router} />
        </SignInGate>
      </QueryClientProvider>
    </MantineProvider>
  );
}
