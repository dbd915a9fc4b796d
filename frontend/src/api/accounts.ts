import { api } from "./client";

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
  api.useMutation("delete", "/api/v1/identities/{identity_id}", { meta: { changes: ["accounts"] } });
export const useChangePassword = () =>
  api.useMutation("put", "/api/v1/session/password", { meta: { shown: true } });
export const useRecover = () =>
  api.useMutation("post", "/api/v1/session/recovery", { meta: { shown: true } });
export const useAddRecoveryLink = () =>
  api.useMutation("post", "/api/v1/users/{name}/recovery", { meta: { shown: true } });
export const useAddUser = () =>
  api.useMutation("post", "/api/v1/users", { meta: { shown: true, changes: ["accounts"] } });
export const useChangeUser = () =>
  api.useMutation("put", "/api/v1/users/{name}", { meta: { changes: ["accounts"] } });
export const useDeleteUser = () =>
  api.useMutation("delete", "/api/v1/users/{name}", { meta: { shown: true, changes: ["accounts"] } });
export const useAddProject = () =>
  api.useMutation("post", "/api/v1/projects", { meta: { shown: true, changes: ["accounts"] } });
export const useSetMember = () =>
  api.useMutation("put", "/api/v1/projects/{project}/members/{name}", {
    meta: { shown: true, changes: ["accounts"] },
  });
export const useRemoveMember = () =>
  api.useMutation("delete", "/api/v1/projects/{project}/members/{name}", { meta: { changes: ["accounts"] } });
export const useCreateToken = () =>
  api.useMutation("post", "/api/v1/tokens", { meta: { shown: true, changes: ["accounts"] } });
export const useDeleteToken = () =>
  api.useMutation("delete", "/api/v1/tokens/{token_id}", { meta: { changes: ["accounts"] } });
