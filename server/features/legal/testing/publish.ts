import { type DocumentKind, legalAdminApi, legalApi } from '#contract/legal.ts'
import type { SignedIn } from '#server/testing/app.ts'

export async function publish(owner: SignedIn, kind: DocumentKind, text: string, asksConsent = true) {
  const { versions } = await owner.call(legalAdminApi.get, { params: { kind } })
  const body = { text, asksConsent, base: versions[0]?.version ?? 0 }
  return owner.call(legalAdminApi.publish, { params: { kind }, body })
}

export async function agree(person: SignedIn) {
  const needed = await person.call(legalApi.needed, {})
  const documents = needed.map(({ kind, version }) => ({ kind, version }))
  return documents.length > 0 ? person.call(legalApi.give, { body: { documents } }) : []
}
