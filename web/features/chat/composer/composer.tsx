import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Model, Thinking } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { linksIn, MAX_NAMED_PAGES } from '#contract/web-search.ts'
import { modelsQuery, textModels } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { useSession } from '#web/lib/session.ts'
import { type Typed, takeTyped } from '#web/lib/shell.ts'
import { useOnline } from '#web/lib/use-online.ts'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { Late } from '#web/ui/late.tsx'
import { latePart } from '#web/ui/markdown/late-part.ts'
import { ComposerBar } from './composer-bar.tsx'
import { useDictation } from './dictation.tsx'
import { type Draft, draftKey, drafts, useDraft } from './drafts.ts'
import type { Added } from './estimate.ts'
import { EstimateLine, FieldHint, useEstimate } from './estimate-line.tsx'
import { COMPOSER_ID, isTouch } from './focus-composer.ts'
import { type ChosenModel, modelsIn } from './model-labels.ts'
import { isBlindToFiles, isSendKey, whyNotSend } from './send-rules.ts'
import { assistantSource, promptSource, type SuggestSource } from './suggest-sources.ts'
import { asRequested, chooseThinking, useThinkingChoice } from './thinking-choice.ts'
import { useUploads } from './uploads.ts'
import { useFiles } from './use-files.ts'
import { useSuggest } from './use-suggest.tsx'
import { searchPrice, setWantsSearch, useWantsSearch } from './web-choice.ts'

interface ComposerProps {
  /** Null for a chat that has no messages yet. */
  threadId: string | null
  /** Undefined until the models are loaded. */
  chosen: ChosenModel | undefined
  history: Message[]
  /** Symbols of the summary that replaces the messages before the history. */
  summary?: number
  /** Symbols that the assistant of the chat adds to the question. */
  added?: Added | null
  /** The country that the assistant of the chat is bound to. */
  country?: string | null
  isAnswering: boolean
  onStop: () => void
  onChooseModel: (model: Model) => void
  /** `asIs`: personal data is not hidden from the model this time. */
  onSend: (draft: Draft & MessageOptions, asIs: boolean) => void
}

/** Options of a message; defaults are left out. */
export interface MessageOptions {
  thinking?: Thinking
  web?: boolean
  pages?: string[]
}

/** Parts that an empty field does not need, so they are loaded later. */
const fileTray = latePart(async () => (await import('./file-tray.tsx')).FileTray)
const linkOffers = latePart(async () => (await import('./link-offers.tsx')).LinkOffers)
const hidingLine = latePart(async () => (await import('../hiding/hiding-line.tsx')).HidingLine)

const suggestSources: SuggestSource[] = [promptSource, assistantSource]

export function Composer(props: ComposerProps) {
  const { threadId, chosen, history, summary = 0, added = null, country = null } = props
  const { isAnswering, onStop, onChooseModel, onSend } = props
  const userId = useSession()?.id ?? ''
  const key = draftKey(userId, threadId)
  const draft = useDraft(key)
  const uploads = useUploads(key)
  const field = useRef<HTMLTextAreaElement>(null)
  const [isTried, setTried] = useState(false)
  const [asIs, setAsIs] = useState(false)
  const enterSends = useEnterSends()
  const files = useFiles(key)
  const suggest = useSuggest(key, draft.text, suggestSources, field)
  const dictation = useDictation(key, field)
  const noteId = useId()
  const model = chosen?.model ?? null
  const chosenThinking = useThinkingChoice(userId, threadId)
  const thinking = model?.thinks ? chosenThinking : 'usual'
  const web = useWebAsked(userId, threadId, draft.text, model)
  const cost = useEstimate({ text: draft.text, files: draft.files, history, model, added, summary })
  const seeing = useSeeingModel(country)
  const isOnline = useOnline()
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0
  const blockedReason = chosen
    ? whyNotSend({
        ...draft,
        uploads,
        model,
        modelName: chosen.name,
        canChooseSeeing: seeing !== null,
        isTooLong: cost?.isTooLong === true,
      })
    : // Offline the default model may be unknown; a message may still be sent, because the server knows it.
      isOnline || isEmpty
      ? ''
      : null
  useUnsent(!isEmpty)
  useTyped(key, field)
  useFocusOnArrival(field)

  function send() {
    setTried(blockedReason !== null)
    if (blockedReason !== null) return
    // Called first, so that the request is sent before the page renders.
    onSend({ text: draft.text.trim(), files: draft.files, ...asRequested(thinking), ...web.asked }, asIs)
    setAsIs(false)
    drafts().clear(key)
    web.forgetPages()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (suggest.onKeyDown(event)) return
    const { key: name, shiftKey, ctrlKey, metaKey, keyCode } = event
    if (name === 'Escape' && isAnswering) onStop()
    const pressed = { key: name, shiftKey, ctrlKey, metaKey, keyCode, isComposing: event.nativeEvent.isComposing }
    if (!isSendKey(pressed, { enterSends, isTouch: isTouch() })) return
    event.preventDefault()
    send()
  }

  return (
    <form
      aria-label="Новое сообщение"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div
        className={classNames(
          'relative rounded-lg border bg-surface transition-colors focus-within:border-accent-ink not-focus-within:hover:border-line-strong',
          files.isOver && 'border-accent-ink bg-accent-soft',
        )}
      >
        {suggest.list}
        {dictation.panel}
        {draft.files.length + uploads.length > 0 && (
          <Late part={fileTray} props={{ draft: key, files: draft.files, uploads }} />
        )}
        <GrowingField
          {...suggest.fieldProps}
          ref={field}
          id={COMPOSER_ID}
          aria-label="Сообщение"
          aria-describedby={noteId}
          placeholder={
            files.isOver ? 'Отпустите, чтобы приложить' : threadId ? 'Напишите сообщение' : 'Спросите что-нибудь'
          }
          value={draft.text}
          onChange={(event) => {
            suggest.updateCaret()
            drafts().write(key, { ...draft, text: event.target.value })
          }}
          onKeyDown={onKeyDown}
          onPaste={files.onPaste}
          className="min-h-12 px-4 pt-3 pb-1"
        />
        {web.links.length > 0 && (
          <Late part={linkOffers} props={{ links: web.links, chosen: web.pages, onChange: web.setPages }} />
        )}
        <ComposerBar
          chosen={chosen}
          country={country}
          thinking={thinking}
          isAnswering={isAnswering}
          canSend={blockedReason === null}
          isEmpty={isEmpty}
          dictate={dictation.button}
          search={web.search}
          onStop={onStop}
          onFiles={files.add}
          onChooseModel={onChooseModel}
          onChooseThinking={(next) => chooseThinking(userId, threadId, next)}
        />
      </div>
      <p id={noteId} className="figures min-h-6 px-2 pt-1 text-[13px] leading-5 text-muted">
        {blockedReason && (isTried || !isEmpty || uploads.length > 0 || !model) ? (
          <>
            <span role="alert" className="text-warning">
              {blockedReason}
            </span>
            {seeing && isBlindToFiles({ ...draft, uploads, model }) && (
              <button type="button" className={chooseStyle} onClick={() => onChooseModel(seeing)}>
                Выбрать «{seeing.name}»
              </button>
            )}
          </>
        ) : !chosen && isEmpty && !added ? (
          <FieldHint />
        ) : (
          cost &&
          model && (
            <EstimateLine
              isEmpty={isEmpty}
              cost={cost}
              model={model}
              added={added}
              thinking={thinking}
              web={web.cost}
            />
          )
        )}
      </p>
      {model && !isEmpty && <Late part={hidingLine} props={{ text: draft.text, model, asIs, onAsIs: setAsIs }} />}
    </form>
  )
}

/** The web search of this chat and the pages of this draft; neither for image models. */
function useWebAsked(userId: string, threadId: string | null, text: string, model: Model | null) {
  const [chosen, setPages] = useState<string[]>([])
  const price = searchPrice()
  const isText = model?.kind === 'text'
  const wantsIt = useWantsSearch(userId, threadId)
  const isOn = isText && wantsIt
  const links = isText && text.includes('://') ? linksIn(text).slice(0, MAX_NAMED_PAGES) : []
  const pages = chosen.filter((page) => links.includes(page))
  return {
    search:
      isText && price !== null
        ? { isOn, price, onChange: (next: boolean) => setWantsSearch(userId, threadId, next) }
        : null,
    links,
    pages,
    setPages,
    forgetPages: () => setPages([]),
    asked: { ...(isOn && { web: true }), ...(pages.length > 0 && { pages }) } satisfies MessageOptions,
    cost: isOn || pages.length > 0 ? { search: isOn ? (price ?? 0) : 0 } : null,
  }
}

const chooseStyle = 'ml-2 rounded-xs text-accent-ink underline underline-offset-4 pointer-coarse:py-2'

/** The first model with vision, offered for a message with an image. */
function useSeeingModel(country: string | null): Model | null {
  const { data = [] } = useQuery(modelsQuery)
  return modelsIn(textModels(data), country).find(({ vision }) => vision) ?? null
}

/** Blocks automatic reloads while there is unsent text. */
function useUnsent(isUnsent: boolean) {
  useEffect(() => (isUnsent ? holdReload('Неотправленное сообщение') : undefined), [isUnsent])
}

/** Appends the text that was typed into the shell of the page to the stored draft, if there is one. */
function useTyped(key: string, field: { current: HTMLTextAreaElement | null }) {
  const [typed, setTyped] = useState<Typed | null>(null)
  useLayoutEffect(() => {
    const taken = takeTyped()
    if (!taken) return
    const { text: before, files } = drafts().read(key)
    drafts().append(key, { text: taken.text, files: [] })
    const shift = drafts().read(key).text.length - taken.text.length
    const isAlone = before === '' && files.length === 0
    setTyped({ ...taken, from: taken.from + shift, to: taken.to + shift, wantsSend: taken.wantsSend && isAlone })
  }, [key])
  useLayoutEffect(() => {
    if (!typed) return
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(typed.from, typed.to)
  }, [typed, field])
  useEffect(() => {
    // `wantsSend` is false when the draft had other text, which the user may not want to send.
    if (typed?.wantsSend) field.current?.form?.requestSubmit()
  }, [typed, field])
}

function useFocusOnArrival(field: { current: HTMLTextAreaElement | null }) {
  useEffect(() => {
    const element = field.current
    if (!element || isTouch() || document.activeElement === element) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [field])
}
