import * as z from 'zod/mini'
import { AuthSession, AuthUser } from './auth-schemas.ts'
import { endpoint } from './endpoint.ts'

const OneUser = z.object({ userId: z.string() })
const UserAnswer = z.object({ user: AuthUser })
const Success = z.object({ success: z.boolean() })
const RoleName = z.enum(['admin', 'user'])
const Roles = z.union([RoleName, z.array(RoleName)])
const SessionAndUser = z.object({ session: AuthSession, user: AuthUser })

export const authAdminApi = {
  listUsers: endpoint('GET', '/api/auth/admin/list-users', {
    who: 'admin',
    summary: 'Учётные записи постранично',
    query: z.object({
      limit: z.optional(z.number()),
      offset: z.optional(z.number()),
      searchValue: z.optional(z.string()),
      searchField: z.optional(z.enum(['email', 'name'])),
      searchOperator: z.optional(z.enum(['contains', 'starts_with', 'ends_with'])),
      sortBy: z.optional(z.string()),
      sortDirection: z.optional(z.enum(['asc', 'desc'])),
      filterField: z.optional(z.string()),
      filterValue: z.optional(z.union([z.string(), z.number(), z.boolean()])),
      filterOperator: z.optional(z.string()),
    }),
    returns: z.object({
      users: z.array(AuthUser),
      total: z.number(),
      limit: z.optional(z.number()),
      offset: z.optional(z.number()),
    }),
  }),
  getUser: endpoint('GET', '/api/auth/admin/get-user', {
    who: 'admin',
    summary: 'Одна учётная запись',
    query: z.object({ id: z.string() }),
    returns: AuthUser,
  }),
  createUser: endpoint('POST', '/api/auth/admin/create-user', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Завести учётную запись',
    body: z.object({
      email: z.string(),
      name: z.string(),
      password: z.optional(z.string()),
      role: z.optional(Roles),
    }),
    returns: UserAnswer,
  }),
  updateUser: endpoint('POST', '/api/auth/admin/update-user', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Изменить учётную запись',
    body: z.object({ userId: z.string(), data: z.record(z.string(), z.unknown()) }),
    returns: AuthUser,
  }),
  setRole: endpoint('POST', '/api/auth/admin/set-role', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Назначить роль',
    body: z.object({ userId: z.string(), role: Roles }),
    returns: UserAnswer,
  }),
  setUserPassword: endpoint('POST', '/api/auth/admin/set-user-password', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Задать пользователю пароль',
    body: z.object({ userId: z.string(), newPassword: z.string() }),
    returns: z.object({ status: z.boolean() }),
  }),
  resetSecondFactor: endpoint('POST', '/api/auth/admin/reset-second-factor', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Снять вход в два шага и ключи доступа с того, кто потерял их; все его входы завершаются',
    body: OneUser,
    returns: Success,
  }),
  banUser: endpoint('POST', '/api/auth/admin/ban-user', {
    who: 'admin',
    summary: 'Заблокировать: все входы завершаются',
    body: z.object({
      userId: z.string(),
      banReason: z.optional(z.string()),
      /** In seconds; without it the ban is permanent. */
      banExpiresIn: z.optional(z.number()),
    }),
    returns: UserAnswer,
  }),
  unbanUser: endpoint('POST', '/api/auth/admin/unban-user', {
    who: 'admin',
    summary: 'Снять блокировку',
    body: OneUser,
    returns: UserAnswer,
  }),
  removeUser: endpoint('POST', '/api/auth/admin/remove-user', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Удалить учётную запись',
    body: OneUser,
    returns: Success,
  }),
  listUserSessions: endpoint('POST', '/api/auth/admin/list-user-sessions', {
    who: 'admin',
    summary: 'Входы пользователя',
    body: OneUser,
    returns: z.object({ sessions: z.array(AuthSession) }),
  }),
  revokeUserSession: endpoint('POST', '/api/auth/admin/revoke-user-session', {
    who: 'admin',
    summary: 'Завершить вход пользователя',
    body: z.object({ sessionToken: z.string() }),
    returns: Success,
  }),
  revokeUserSessions: endpoint('POST', '/api/auth/admin/revoke-user-sessions', {
    who: 'admin',
    summary: 'Завершить все входы пользователя',
    body: OneUser,
    returns: Success,
  }),
  impersonateUser: endpoint('POST', '/api/auth/admin/impersonate-user', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Посмотреть глазами пользователя, на час',
    body: OneUser,
    returns: SessionAndUser,
  }),
  /** Called from the impersonated session, which has the role of the user. */
  stopImpersonating: endpoint('POST', '/api/auth/admin/stop-impersonating', {
    who: 'user',
    impersonation: 'allowed',
    summary: 'Вернуться к себе',
    returns: SessionAndUser,
  }),
  hasPermission: endpoint('POST', '/api/auth/admin/has-permission', {
    who: 'user',
    impersonation: 'allowed',
    summary: 'Есть ли у меня такие права',
    body: z.object({ permissions: z.record(z.string(), z.array(z.string())) }),
    returns: z.object({ success: z.boolean(), error: z.nullable(z.unknown()) }),
  }),
}
