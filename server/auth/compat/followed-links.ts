import { createAuthMiddleware } from 'better-auth/api'
import { redirect } from './pages.ts'

/** What people open in a browser, straight from a letter or on the way back from a provider. */
const followed = new Set([
  '/magic-link/verify',
  '/verify-email',
  '/reset-password/:token',
  '/delete-user/callback',
  '/callback/:id',
])

/** A person gets a page where a program gets JSON; somebody banned always does. */
export const failedLinksAfter = {
  matcher: ({ path }: { path?: string | undefined }) => path !== undefined && followed.has(path),
  handler: createAuthMiddleware(async (ctx) => {
    const failed = errorOf(ctx.context.returned)
    if (failed === null) return undefined
    if (failed === 'BANNED_USER') return redirect('/error?error=banned')
    const inBrowser = ctx.headers?.get('accept')?.includes('text/html')
    return inBrowser ? redirect(`/error?${new URLSearchParams({ error: failed })}`) : undefined
  }),
}

function errorOf(returned: unknown): string | null {
  if (!(returned instanceof Error) || !('statusCode' in returned) || Number(returned.statusCode) < 400) return null
  const body = 'body' in returned ? (returned.body as { code?: string } | undefined) : undefined
  return body?.code ?? 'Unknown'
}
