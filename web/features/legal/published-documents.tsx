import { documentKinds, documentTitles } from '#contract/legal.ts'
import { isDocumentPublished } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Callout } from '#web/ui/callout.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

/** Links from a help page to the published documents; renders nothing when there are none. */
export function PublishedDocuments() {
  const kinds = documentKinds.filter(isDocumentPublished)
  if (kinds.length === 0) return null
  return (
    <Callout tone="info" title="Документы продавца">
      <p>Условия определяют они, а эта страница рассказывает, как устроено приложение.</p>
      <ul className="mt-2 flex flex-col gap-1">
        {kinds.map((kind) => (
          <li key={kind}>
            <TextLink inText href={paths.legal(kind)}>
              {documentTitles[kind]}
            </TextLink>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
