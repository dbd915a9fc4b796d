import { t } from ".";

export const UNITS = { characters: t("characters"), tokens: t("tokens") };
