import type { BetterAuthPlugin } from 'better-auth'
import type { AuthDeps } from '../deps.ts'
import type { Emails } from '../emails.ts'
import { accountEndpoints } from './accounts.ts'
import { fixAnswer } from './answers.ts'
import { changePasswordEndpoints } from './change-password.ts'
import { checksBefore } from './checks.ts'
import { deleteUserEndpoints } from './delete-user.ts'
import { failedLinksAfter } from './followed-links.ts'
import { joinAccountEndpoints } from './join-account.ts'
import { heirsBefore, makersAfter } from './makers.ts'
import { answerPage } from './pages.ts'
import { passwordEndpoints } from './passwords.ts'
import { sessionEndpoints } from './sessions.ts'
import { verifyEmailEndpoints } from './verify-email.ts'

/** Where the specification and the library differ, the specification's way. An endpoint under a known name replaces the library's. */
export function compat(deps: AuthDeps, emails: Emails) {
  return {
    id: 'compat',
    endpoints: {
      ...accountEndpoints,
      ...passwordEndpoints,
      ...changePasswordEndpoints(deps),
      ...deleteUserEndpoints,
      ...verifyEmailEndpoints(deps, emails),
      ...joinAccountEndpoints(deps),
      ...sessionEndpoints,
    },
    hooks: { before: [checksBefore(deps), heirsBefore(deps)], after: [failedLinksAfter, makersAfter(deps)] },
    onRequest: async (request) => {
      const response = answerPage(request, deps.appName)
      return response ? { response } : undefined
    },
    onResponse: async (answer) => ({ response: await fixAnswer(answer, deps.appUrl) }),
  } satisfies BetterAuthPlugin
}
