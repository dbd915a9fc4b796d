import { t } from ".";

export const STATES = {
  queued: t("Queued"),
  running: t("Running"),
  paused: t("Paused"),
  finished: t("Finished"),
  cancelled: t("Cancelled"),
  failed: t("Failed", {}, "state"),
  pending: t("Waiting"),
  answered: t("Answered"),
  scored: t("Scored", {}, "state"),
};
