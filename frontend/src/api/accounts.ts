import { api } from "./client";
import { changing, changingInPlace } from "./freshness";

export const useSignIn = () => api.useMutation("post", "/api/v1/session", { meta: { shown: true } });
export const useSignOut = () => api.useMutation("delete", "/api/v1/session");
export const useBeginProviderSignIn = () =>
  api.useMutation("post", "/api/v1/session/provider", { meta: { shown: true } });
export const useFinishProviderSignIn = () =>
  api.useMutation("post", "/api/v1/session/provider/reply", { meta: { shown: true } });
export const useBeginWalletSignIn = () =>
  api.useMutation("post", "/api/v1/session/wallet", { meta: { shown: true } });
export const useFinishWalletSignIn = () =>
  api.useMutation("post", "/api/v1/session/wallet/proof", { meta: { shown: true } });
export const useDeleteIdentity = () =>
  api.useMutation("delete", "/api/v1/identities/{identity_id}", changing("accounts"));
export const useChangePassword = () =>
  api.useMutation("put", "/api/v1/session/password", { meta: { shown: true } });
export const useRecover = () =>
  api.useMutation("post", "/api/v1/session/recovery", { meta: { shown: true } });
export const useAddRecoveryLink = () =>
  api.useMutation("post", "/api/v1/users/{name}/recovery", { meta: { shown: true } });
export const useAddUser = () => api.useMutation("post", "/api/v1/users", changingInPlace("accounts"));
export const useChangeUser = () => api.useMutation("put", "/api/v1/users/{name}", changing("accounts"));
export const useDeleteUser = () =>
  api.useMutation("delete", "/api/v1/users/{name}", changingInPlace("accounts"));
export const useAddProject = () => api.useMutation("post", "/api/v1/projects", changingInPlace("accounts"));
export const useSetMember = () =>
  api.useMutation("put", "/api/v1/projects/{project}/members/{name}", changingInPlace("accounts"));
export const useRemoveMember = () =>
  api.useMutation("delete", "/api/v1/projects/{project}/members/{name}", changing("accounts"));
export const useCreateToken = () => api.useMutation("post", "/api/v1/tokens", changingInPlace("accounts"));
export const useDeleteToken = () =>
  api.useMutation("delete", "/api/v1/tokens/{token_id}", changing("accounts"));
