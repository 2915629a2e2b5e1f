import type { GenericEndpointContext } from 'better-auth'
import { APIError, getSessionFromCtx } from 'better-auth/api'
import { sql } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import type { AuthDeps } from '../deps.ts'
import { hasRole } from '../roles.ts'
import { textOf } from './endpoint.ts'

type Check = (ctx: GenericEndpointContext) => Promise<void> | void

/** What an admin may not do to their own account, so that at least one admin remains. */
const rejections = {
  demote: {
    code: 'YOU_CANNOT_DEMOTE_YOURSELF',
    message: 'Снять с себя роль администратора нельзя: это может сделать другой администратор.',
  },
  ban: { code: 'YOU_CANNOT_BAN_YOURSELF', message: 'Заблокировать самого себя нельзя.' },
  remove: { code: 'YOU_CANNOT_REMOVE_YOURSELF', message: 'Свой аккаунт удаляют в профиле, а не здесь.' },
  impersonate: {
    code: 'YOU_CANNOT_IMPERSONATE_ADMINS',
    message: 'Смотреть глазами администратора нельзя, своими тоже: вы и так всё видите.',
  },
  last: {
    code: 'LAST_ADMIN',
    message: 'Вы единственный администратор. Сначала назначьте ещё одного, потом удаляйте аккаунт.',
  },
}

export function protectedUsers({ db }: AuthDeps): Record<string, Check> {
  return {
    '/admin/set-role': onOwnAccount(({ role }) => (includesAdmin(role) ? null : rejections.demote)),
    '/admin/update-user': onOwnAccount(({ data }) => {
      const { role, banned } = (data ?? {}) as { role?: unknown; banned?: unknown }
      if (banned === true) return rejections.ban
      return role === undefined || includesAdmin(role) ? null : rejections.demote
    }),
    '/admin/ban-user': async (ctx) => {
      checkBanTime(ctx.body?.banExpiresIn)
      await onOwnAccount(() => rejections.ban)(ctx)
    },
    '/admin/remove-user': onOwnAccount(() => rejections.remove),
    '/admin/impersonate-user': async ({ body, context }) => {
      const target = await context.internalAdapter.findUserById(textOf(body?.userId))
      const role = (target as { role?: string } | null)?.role
      if (hasRole(role, 'admin')) throw APIError.from('FORBIDDEN', rejections.impersonate)
    },
    '/delete-user': notLastAdmin(db),
    '/delete-user/callback': notLastAdmin(db),
  }
}

const LONGEST_BAN = 100 * 365 * 86_400

/** The library accepts any number, also one that overflows the date. */
function checkBanTime(seconds: unknown): void {
  if (typeof seconds !== 'number' || (seconds > 0 && seconds <= LONGEST_BAN)) return
  throw APIError.from('BAD_REQUEST', {
    code: 'INVALID_BAN_TIME',
    message: 'Срок блокировки задаётся в секундах: больше нуля и не больше ста лет.',
  })
}

type Rejection = { code: string; message: string }

function onOwnAccount(judge: (body: Record<string, unknown>) => Rejection | null): Check {
  return async (ctx) => {
    const body = (ctx.body ?? {}) as Record<string, unknown>
    const session = await getSessionFromCtx(ctx)
    if (!session || body.userId !== session.user.id) return
    const rejection = judge(body)
    if (rejection) throw APIError.from('BAD_REQUEST', rejection)
  }
}

function includesAdmin(role: unknown): boolean {
  return hasRole([role].flat().join(','), 'admin')
}

/** The database rejects it too, but by then the library would have removed the sign-in methods. */
function notLastAdmin(db: AuthDeps['db']): Check {
  return async (ctx) => {
    const session = await getSessionFromCtx(ctx)
    if (!hasRole((session?.user as { role?: string } | undefined)?.role, 'admin')) return
    const others = sql`is_acting_admin(${users.role}, ${users.banned}) and ${users.id} <> ${session?.user.id}`
    const [other] = await db.select({ id: users.id }).from(users).where(others).limit(1)
    if (!other) throw APIError.from('BAD_REQUEST', rejections.last)
  }
}
