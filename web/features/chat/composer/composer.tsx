import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { changesImages } from '#contract/image-address.ts'
import type { Model, Thinking } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import type { WebSearch } from '#contract/web-search.ts'
import { modelsQuery, usualCostsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { useSession } from '#web/lib/session.ts'
import { type TypedText, takeTyped } from '#web/lib/shell.ts'
import { useOnline } from '#web/lib/use-online.ts'
import { GrowingField } from '#web/ui/growing-field.tsx'
import { type Draft, draftKey, drafts, useDraft } from '../state/drafts.ts'
import type { TemporaryControl } from './add-menu.tsx'
import { ComposerTools, ModelPicker, SendButtons } from './composer-bar.tsx'
import { useDictation } from './dictation.tsx'
import { type AssistantSymbols, mostNamed, thoughtPrice, usualAnswer } from './estimate.ts'
import { EstimateLine, FieldHint, useEstimate } from './estimate-line.tsx'
import { COMPOSER_ID, isTouch } from './focus-composer.ts'
import { askableModels, type ChosenModel, modelsIn } from './model-labels.ts'
import { type BlockedReason, isSendKey, whyNotSend } from './send-rules.ts'
import { spend, waitingSpend } from './spend-consent.ts'
import { assistantSource, promptSource, type SuggestSource } from './suggest-sources.ts'
import { asRequested, chooseThinking, useThinkingChoice } from './thinking-choice.ts'
import { useUploads } from './uploads.ts'
import { useFiles } from './use-files.ts'
import { useSuggest } from './use-suggest.tsx'
import { asWebRequest, useWebOptions } from './use-web-options.ts'

interface ComposerProps {
  /** Null for a chat that has no messages yet. */
  threadId: string | null
  /** Undefined until the models are loaded. */
  chosen: ChosenModel | undefined
  history: Message[]
  /** Symbols of the summary that replaces the messages before the history. */
  summary?: number
  /** Symbols that the assistant of the chat adds to the question. */
  added?: AssistantSymbols | null
  /** The country that the assistant of the chat is bound to. */
  country?: string | null
  /** The choice of a temporary chat; null in one that has begun. */
  temporary?: TemporaryControl | null
  isAnswering: boolean
  onStop: () => void
  onChooseModel: (model: Model) => void
  /** `asIs`: personal data is not hidden from the model this time. */
  onSend: (draft: Draft & MessageOptions, asIs: boolean) => void
}

/** Options of a message; defaults are left out. */
export interface MessageOptions {
  thinking?: Thinking
  web?: WebSearch
  pages?: string[]
  imageId?: string
}

/** Parts that an empty field does not need, so they are loaded later. */
const fileTray = lazy(async () => (await import('./file-tray.tsx')).FileTray)
const linkOffers = lazy(async () => (await import('./link-offers.tsx')).LinkOffers)
const changeChip = lazy(async () => (await import('./change-chip.tsx')).ChangeChip)
const chosenChips = lazy(async () => (await import('./chosen-chips.tsx')).ChosenChips)
const spendQuestion = lazy(async () => (await import('./spend-question.tsx')).SpendQuestion)
const blockedNote = lazy(async () => (await import('./blocked-note.tsx')).BlockedNote)
const maskingLine = lazy(async () => (await import('../masking/masking-line.tsx')).MaskingLine)

const suggestSources: SuggestSource[] = [promptSource, assistantSource]

export function Composer(props: ComposerProps) {
  const { threadId, chosen, history, summary = 0, added = null, country = null, temporary = null } = props
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
  const web = useWebOptions(userId, threadId, draft.text, model)
  const client = useQueryClient()
  const waiting = waitingSpend.use()
  const { imageId } = draft
  const cost = useEstimate({ ...draft, imageId, history, model, added, summary })
  const isOnline = useOnline()
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0
  const blockedReason = chosen
    ? whyNotSend({
        ...draft,
        uploads,
        model,
        isTooLong: cost?.isTooLong === true,
      })
    : // Offline the default model may be unknown; a message may still be sent, because the server knows it.
      isOnline || isEmpty
      ? 'empty'
      : null
  const able = useAbleModel(country, blockedReason)
  useUnsent(!isEmpty)
  useTyped(key, field)
  useFocusOnArrival(field)

  // A price that was asked about holds only for the question as it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: forgotten with every change of the question
  useEffect(() => () => waitingSpend.set(null), [key, draft, model?.id, thinking, web.cost?.search, web.cost?.pages])

  function send() {
    setTried(blockedReason !== null)
    if (blockedReason !== null) return
    const what = model?.kind === 'image' ? 'Это изображение' : 'Этот вопрос'
    spend(client, { threadId, what, action: 'Отправить', price: mostOfQuestion() }, () => {
      // Called first, so that the request is sent before the page renders.
      const options = { ...asRequested(thinking), ...asWebRequest(web.options), ...(imageId && { imageId }) }
      onSend({ text: draft.text.trim(), files: draft.files, ...options }, asIs)
      setAsIs(false)
      drafts().clear(key)
      web.afterSending()
    })
  }

  /** What the line below the field names; null before the models are known. */
  function mostOfQuestion() {
    if (!model || !cost) return null
    if (model.kind === 'image') return { most: cost.symbols, least: cost.symbols }
    const usual = usualAnswer(client.getQueryData(usualCostsQuery.queryKey), model)
    const most = mostNamed({ ...cost, web: web.cost, usual, thought: thoughtPrice(model, thinking) })
    return { most, least: cost.least + (web.cost?.search ?? 0) }
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

  const tools = {
    model,
    thinking,
    search: web.control,
    temporary,
    onFiles: files.add,
    onChooseThinking: (next: Thinking) => chooseThinking(userId, threadId, next),
  }
  const isBlocked =
    blockedReason !== null &&
    blockedReason !== 'empty' &&
    (isTried || !isEmpty || uploads.length > 0 || !model || imageId)
  return (
    <form
      aria-label="Новое сообщение"
      className="group composer-grid relative"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {suggest.list}
      <div
        aria-hidden="true"
        className={classNames(
          'composer-box rounded-lg border bg-surface transition-colors group-focus-within:border-accent-ink group-not-focus-within:group-hover:border-line-strong',
          files.isOver && 'border-accent-ink bg-accent-soft',
        )}
      />
      <div className="min-w-0 [grid-area:top]">
        {waiting && waiting.threadId === threadId && <Late component={spendQuestion} props={{ spend: waiting }} />}
        {dictation.panel}
        {draft.files.length + uploads.length > 0 && (
          <Late component={fileTray} props={{ draft: key, files: draft.files, uploads, model }} />
        )}
        {imageId && (
          <Late
            component={changeChip}
            props={{ imageId, onRemove: () => drafts().write(key, { ...draft, imageId: undefined }) }}
          />
        )}
        {(web.options.search || thinking !== 'usual' || temporary?.isOn) && (
          <Late component={chosenChips} props={tools} />
        )}
      </div>
      <GrowingField
        {...suggest.fieldProps}
        ref={field}
        id={COMPOSER_ID}
        aria-label="Сообщение"
        aria-describedby={noteId}
        placeholder={files.isOver ? 'Отпустите, чтобы приложить' : placeholderOf(threadId, imageId)}
        value={draft.text}
        onChange={(event) => {
          suggest.updateCaret()
          drafts().write(key, { ...draft, text: event.target.value })
        }}
        onKeyDown={onKeyDown}
        onPaste={files.onPaste}
        className="relative [grid-area:field] placeholder:text-nowrap max-sm:min-h-13 max-sm:px-1 max-sm:py-3.5 max-sm:leading-6 sm:min-h-12 sm:px-4 sm:pt-3 sm:pb-1"
      />
      {web.links.all.length > 0 && <Late component={linkOffers} props={web.links} />}
      <ComposerTools {...tools} />
      <ModelPicker chosen={chosen} country={country} onChoose={onChooseModel} />
      <SendButtons
        isAnswering={isAnswering}
        canSend={blockedReason === null}
        isEmpty={isEmpty}
        dictate={dictation.button}
        onStop={onStop}
      />
      <p
        id={noteId}
        className="composer-line figures min-w-0 px-2 pt-1 text-[13px] leading-5 text-muted max-sm:self-center max-sm:py-0.5 max-sm:text-pretty sm:min-h-6"
      >
        {isBlocked ? (
          <Late
            component={blockedNote}
            props={{ reason: blockedReason, text: draft.text, modelName: chosen?.name ?? '', able, onChooseModel }}
          />
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
      {model && !isEmpty && (
        <div className="col-span-full">
          <Late component={maskingLine} props={{ text: draft.text, model, asIs, onAsIs: setAsIs }} />
        </div>
      )}
    </form>
  )
}

function placeholderOf(threadId: string | null, imageId: string | undefined): string {
  if (imageId) return 'Что изменить'
  return threadId ? 'Напишите сообщение' : 'Спросите что-нибудь'
}

/** The first model that could answer instead: one with vision, or one that changes images. */
function useAbleModel(country: string | null, reason: BlockedReason | null): Model | null {
  const { data = [] } = useQuery(modelsQuery)
  const models = modelsIn(askableModels(data), country)
  if (reason === 'blind') return models.find(({ kind, vision }) => kind === 'text' && vision) ?? null
  return reason === 'changes-nothing' ? (models.find(changesImages) ?? null) : null
}

/** Blocks automatic reloads while there is unsent text. */
function useUnsent(isUnsent: boolean) {
  useEffect(() => (isUnsent ? holdReload('Неотправленное сообщение') : undefined), [isUnsent])
}

/** Appends the text that was typed into the shell of the page to the stored draft, if there is one. */
function useTyped(key: string, field: { current: HTMLTextAreaElement | null }) {
  const [typed, setTyped] = useState<TypedText | null>(null)
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

/** In the task that shows the field: a key pressed between two tasks would be lost. */
function useFocusOnArrival(field: { current: HTMLTextAreaElement | null }) {
  useLayoutEffect(() => {
    const element = field.current
    if (!element || isTouch() || document.activeElement === element) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [field])
}
