import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Not a measure of speed: on a busy machine a part that is loaded when it is shown takes longer than the default of 1 s.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
