import { api } from "./client";
import { changing, changingInPlace, IN_PLACE } from "./freshness";

export const useSignIn = () => api.useMutation("post", "/api/v1/session", IN_PLACE);
export const useSignOut = () => api.useMutation("delete", "/api/v1/session");
export const useBeginProviderSignIn = () => api.useMutation("post", "/api/v1/session/provider", IN_PLACE);
export const useFinishProviderSignIn = () =>
  api.useMutation("post", "/api/v1/session/provider/reply", IN_PLACE);
export const useBeginWalletSignIn = () => api.useMutation("post", "/api/v1/session/wallet", IN_PLACE);
export const useFinishWalletSignIn = () => api.useMutation("post", "/api/v1/session/wallet/proof", IN_PLACE);
export const useDeleteIdentity = () =>
  api.useMutation("delete", "/api/v1/identities/{identity_id}", changing("accounts"));
export const useChangePassword = () => api.useMutation("put", "/api/v1/session/password", IN_PLACE);
export const useRecover = () => api.useMutation("post", "/api/v1/session/recovery", IN_PLACE);
export const useAddRecoveryLink = () =>
  api.useMutation("post", "/api/v1/users/{name}/recovery", changingInPlace("accounts"));
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
