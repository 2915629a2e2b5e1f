import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { firstNameOf } from '#contract/shell.ts'
import { DictationContext } from '#web/features/chat/composer/dictation.tsx'
import { focusComposer, isTouch } from '#web/features/chat/composer/focus-composer.ts'
import { preloadUploads } from '#web/features/chat/composer/use-files.ts'
import { ExampleChips } from '#web/features/chat/home/example-chips.tsx'
import { HomeComposer } from '#web/features/chat/home/home-composer.tsx'
import { preloadDelivery } from '#web/features/chat/sending/send.ts'
import { draftKey, drafts, useDraft } from '#web/features/chat/state/drafts.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { Late, lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { preloadMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { dictation } from './dictation.ts'

const PRELOAD_DELAY_MS = 4000

export default function HomeScreen() {
  const [, navigate] = useLocation()
  const user = useSession()
  const assistantId = new URLSearchParams(useSearch()).get('assistant')
  const name = firstNameOf(user?.name ?? '')
  const key = draftKey(user?.id ?? '', null)
  usePreload(useDraft(key).text !== '')
  useFocusAgain()

  function fill(text: string) {
    drafts().write(key, { ...drafts().read(key), text })
    focusComposer()
  }

  const begin = (threadId: string) => navigate(paths.thread(threadId))
  return (
    <DictationContext value={dictation}>
      <div className="mx-auto flex w-full max-w-[792px] flex-1 flex-col px-4 frame:justify-center frame:pb-[8dvh]">
        {assistantId ? (
          <WithAssistant id={assistantId} onBegin={begin} onPick={fill} />
        ) : (
          <PlainHome name={name} onBegin={begin} onPick={fill} />
        )}
      </div>
    </DictationContext>
  )
}

/** Loaded on request: most chats start without an assistant. */
function WithAssistant(props: { id: string } & HomeActions) {
  const [AssistantHome, ask] = useOnDemand(assistantHome)
  useEffect(ask, [ask])
  return AssistantHome && <AssistantHome {...props} />
}

const assistantHome = lazy(async () => (await import('./assistant-home.tsx')).AssistantHome)

interface HomeActions {
  onBegin: (threadId: string) => void
  onPick: (text: string) => void
}

function PlainHome({ name, onBegin, onPick }: { name: string | undefined } & HomeActions) {
  // The list of the panel: it comes with the page, and nobody waits for it here.
  const { data: chats } = useInfiniteQuery(threadsQuery('active'))
  const ideas =
    chats?.pages[0]?.items.length === 0 ? (
      <ExampleChips onPick={onPick} />
    ) : (
      <div className="min-h-54 short:max-frame:hidden">
        <Late component={leftOff} props={{}} />
      </div>
    )
  return (
    <>
      <div className="flex flex-1 flex-col justify-center gap-6 py-6 frame:flex-none short:max-frame:gap-3 short:max-frame:py-3">
        <h1 className="px-3 text-[28px] leading-tight font-semibold tracking-tight text-balance wrap-anywhere frame:text-4xl">
          {name ? `Здравствуйте, ${name}` : 'Здравствуйте'}
          <span aria-hidden="true" className="symbol-cell" />
          <span className="mt-1.5 block text-lg font-normal tracking-normal text-muted short:max-frame:hidden">
            Чем помочь?
          </span>
        </h1>
        <div className="frame:hidden">{ideas}</div>
      </div>
      <div className="sticky bottom-0 bg-page pb-[max(0.5rem,env(safe-area-inset-bottom))] frame:static">
        <HomeComposer onBegin={onBegin} />
      </div>
      <div className="mt-5 hidden frame:block">{ideas}</div>
    </>
  )
}

/** Behind the first paint, in a place that is kept for it. */
const leftOff = lazy(async () => (await import('../home/left-off.tsx')).LeftOff)

/** Loads the code for the first message when typing starts or when idle: the network may fail before it is sent. */
function usePreload(isWriting: boolean) {
  useEffect(() => {
    const timer = setTimeout(preloadChat, isWriting ? 0 : PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isWriting])
}

function preloadChat() {
  preloadDelivery()
  void preloadMarkdown()
  preloadUploads()
  import('./thread.tsx').catch(() => undefined)
}

/** «Новый чат» on this screen focuses the message field. */
function useFocusAgain() {
  useEffect(() => {
    const onAgain = () => location.pathname === paths.home() && !isTouch() && focusComposer()
    addEventListener('pushState', onAgain)
    return () => removeEventListener('pushState', onAgain)
  }, [])
}
