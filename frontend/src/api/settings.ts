import { api } from "./client";
import { IN_PLACE, LIVE } from "./freshness";

/** Settings of the project, with the origin of each value. */
export const settingQueries = { list: () => api.queryOptions("get", "/api/v1/settings", {}, LIVE) };

/** Give the project a value of its own. */
export const useSetSetting = () => api.useMutation("put", "/api/v1/settings/{name}", IN_PLACE);

/** Let the environment's value, or the default, apply again. */
export const useUnsetSetting = () => api.useMutation("delete", "/api/v1/settings/{name}", IN_PLACE);
