import { ApiError } from '#contract/errors.ts'
import type { SessionUser } from '#contract/page.ts'
import type { Layout } from '#contract/screens.ts'
import { paths } from '#web/lib/paths.ts'

interface Visit {
  path: string
  query: URLSearchParams
  layout: Layout
  user: Pick<SessionUser, 'role'> | null
}

/** Where this visit must go instead, or null to let it in. The order is the specification's, section 2. */
export function guard({ path, query, layout, user }: Visit): string | null {
  const error = query.get('error')
  if (error) throw raisedError(error)
  if (!user) return layout === 'no-auth' ? null : paths.signIn()
  if (path === paths.emailSent()) return paths.home()
  if (path.startsWith('/admin') && user.role !== 'admin') return paths.home()
  return null
}

function raisedError(code: string): ApiError {
  return new ApiError({ status: 400, code, message: code === 'INVALID_TOKEN' ? 'Код недействителен' : code })
}
