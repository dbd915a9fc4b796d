import "@/app/styles";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { language } from "@/words";

document.documentElement.lang = language;
const root = document.getElementById("root");
if (!root) throw new Error("index.html holds no element with the id `root`.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
