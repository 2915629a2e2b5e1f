import type { SessionUser } from '#contract/page.ts'
import { SIGNED_IN_CACHE, type SignedInNote } from '#contract/shell.ts'
import { PERSON_KEY } from '#web/lib/forget-person.ts'

/** Stores nothing of the user but the id, under which drafts are stored. */
export function rememberPerson({ id }: Pick<SessionUser, 'id'>): void {
  localStorage.setItem(PERSON_KEY, id)
}

/** A user of whom only the id is known until the server answers. */
export function rememberedPerson(): SessionUser | null {
  const id = readId()
  return id ? { id, email: '', name: '', image: null, role: 'user', impersonated: false } : null
}

function readId(): string | null {
  try {
    return localStorage.getItem(PERSON_KEY)
  } catch {
    return null
  }
}

/** For the service worker, which cannot read localStorage and must not know the id. */
export async function markSeen(seen: SignedInNote): Promise<void> {
  await (await caches.open(SIGNED_IN_CACHE)).put('/', new Response(JSON.stringify(seen)))
}
