import { addressOf } from '#contract/endpoint.ts'
import { legalAdminApi } from '#contract/legal.ts'
import { DocumentCards } from '#web/features/legal/document-cards.tsx'
import { paths } from '#web/lib/paths.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Download } from '#web/ui/icons.ts'
import { PageHead } from '#web/ui/table/page-head.tsx'
import { TextLink } from '#web/ui/text-link.tsx'

export default function DocumentsScreen() {
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <PageHead
        title="Документы"
        description={
          <>
            Ваши тексты для покупателей. Каждая публикация — новая версия: прежние хранятся, и у каждой видно, чьи
            согласия к ней относятся.{' '}
            <TextLink inText href={paths.help('owners/documents')}>
              Как это устроено
            </TextLink>
          </>
        }
      >
        <a href={addressOf(legalAdminApi.csv, {})} download data-fresh="" className={buttonStyle('secondary', 'md')}>
          <Download size={18} />
          Согласия (CSV)
        </a>
      </PageHead>
      <DocumentCards />
    </div>
  )
}
