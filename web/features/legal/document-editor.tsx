import { useState } from 'react'
import { type DocumentKind, documentTitles, type EditedDocument, needsConsent, Publication } from '#contract/legal.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formErrorsOf } from '#web/lib/form-errors.ts'
import { message } from '#web/lib/notify.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LeaveDialog, useLeaveGuard } from '#web/ui/form/leave-guard.tsx'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { usePublish } from './queries.ts'
import { VersionList } from './version-list.tsx'

const views = [
  { value: 'text', label: 'Текст' },
  { value: 'preview', label: 'Как увидят люди' },
] as const

const descriptions: Record<DocumentKind, string> = {
  offer: 'Договор, который человек принимает, когда начинает пользоваться приложением или платит.',
  'personal-data': 'Отдельный документ: закон не разрешает прятать это согласие в оферту.',
  privacy: 'Что вы храните, зачем и кому передаёте. Согласие с ней не спрашивается, она открыта всем.',
  requisites: 'Кто продаёт: название, номера, адрес, почта. Ссылка на них стоит рядом с оплатой.',
}

export function DocumentEditor({ document }: { document: EditedDocument }) {
  const { kind, isSample, versions } = document
  const [text, setText] = useState(document.text)
  const [view, setView] = useState<'text' | 'preview'>('text')
  const [isPublishing, setIsPublishing] = useState(false)
  const isDirty = text.trim() !== document.text.trim()
  const guard = useLeaveGuard(isDirty && !isPublishing)
  return (
    <div className="flex flex-col gap-6">
      <header>
        <BackLink href={adminPaths.documents()}>Документы</BackLink>
        <h1 className="mt-1 text-2xl font-semibold text-balance">{documentTitles[kind]}</h1>
        <p className="mt-1 text-pretty text-muted">{descriptions[kind]}</p>
      </header>
      {isSample && (
        <Callout tone="warning" title="Это образец: юридической силы у него нет">
          Замените слова между звёздочками, *вот такие*, своими и покажите текст юристу. Образец не публикуется: сервер
          его не примет.
        </Callout>
      )}
      <div className="flex flex-col gap-3">
        <Segmented label="Вид" value={view} options={views} onChange={setView} />
        {view === 'text' ? (
          <TextArea
            label="Текст в разметке Markdown"
            rows={18}
            spellCheck
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="min-h-96 text-[15px]"
          />
        ) : (
          <Card>{text.trim() ? <LazyMarkdown text={text} /> : <p className="text-muted">Текста ещё нет.</p>}</Card>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="primary" disabled={!isDirty || !text.trim()} onClick={() => setIsPublishing(true)}>
            Опубликовать новую версию
          </Button>
          <p role="status" className="text-sm text-muted">
            {isDirty ? 'Изменения ещё не опубликованы' : isSample ? 'Ещё не опубликовано' : 'Опубликовано'}
          </p>
        </div>
      </div>
      <VersionList kind={kind} versions={versions} />
      {isPublishing && <PublishDialog document={document} text={text} onClose={() => setIsPublishing(false)} />}
      <LeaveDialog
        open={guard.leaving !== null}
        text="Новая версия ещё не опубликована. Если уйти сейчас, изменения пропадут."
        onStay={guard.stay}
        onLeave={() => {
          guard.stay()
          guard.leaving?.go()
        }}
      />
    </div>
  )
}

interface PublishDialogProps {
  document: EditedDocument
  text: string
  onClose: () => void
}

function PublishDialog({ document: { kind, versions }, text, onClose }: PublishDialogProps) {
  const [asksConsent, setAsksConsent] = useState(true)
  const publish = usePublish(kind)
  const base = versions[0]?.version ?? 0
  const checked = Publication.safeParse({ text, asksConsent, base })
  const problem = checked.error?.issues[0]?.message
  const onPublished = () => {
    message.success(`Версия ${base + 1} опубликована`)
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Опубликовать версию ${base + 1}?`}
      cancel="Вернуться к тексту"
      action="Опубликовать"
      isBusy={publish.isPending}
      isDisabled={!checked.success}
      onAction={() => publish.mutate({ text, asksConsent, base }, { onSuccess: onPublished })}
      onClose={onClose}
    >
      <p className="text-pretty">
        Текст станет виден всем. Изменить или удалить опубликованную версию нельзя, можно только выпустить следующую.
      </p>
      {needsConsent(kind) &&
        (base === 0 ? (
          <p className="text-pretty">
            Каждого человека попросят согласиться при следующем посещении. До этого новые сообщения и оплата не
            принимаются.
          </p>
        ) : (
          <div>
            <Checkbox label="Попросить согласие заново" checked={asksConsent} onChange={setAsksConsent} />
            <p className="mt-1.5 pl-8 text-sm text-pretty text-muted">
              {asksConsent
                ? 'Прежние согласия перестанут действовать, и людей спросят ещё раз.'
                : 'Прежние согласия останутся в силе. Так исправляют опечатку, но не меняют условия.'}
            </p>
          </div>
        ))}
      <ErrorNote text={problem ?? formErrorsOf(publish.error).form} />
    </ConfirmDialog>
  )
}
