import { memo, type RefObject, useLayoutEffect, useRef } from 'react'
import { useCopy } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Check, Copy } from '#web/ui/icons.ts'
import { thoughtChunks } from './thought-chunks.ts'

interface ThoughtTextProps {
  text: string
  isGrowing: boolean
}

/** The whole thought, which may be 100 000 characters long: only its last chunk is rendered again as it grows. */
export function ThoughtText({ text, isGrowing }: ThoughtTextProps) {
  const box = useRef<HTMLElement>(null)
  useEndInView(box, text, isGrowing)
  return (
    <div className="ml-2 flex flex-col items-start gap-2 border-l-2 pl-4">
      <section
        ref={box}
        aria-label="Размышления модели"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 w-full overflow-y-auto text-sm whitespace-pre-wrap text-muted wrap-anywhere"
      >
        {thoughtChunks(text).map((chunk, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: chunks are only added at the end
          <Chunk key={i} text={chunk} />
        ))}
      </section>
      <CopyThought text={text} />
    </div>
  )
}

const Chunk = memo(function Chunk({ text }: { text: string }) {
  const parts = text.split(/\*\*([^*\n]+)\*\*/)
  return (
    <div>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
          <b key={i} className="font-medium">
            {part}
          </b>
        ) : (
          part
        ),
      )}
    </div>
  )
})

function CopyThought({ text }: { text: string }) {
  const { isCopied, copy } = useCopy(text)
  const Icon = isCopied ? Check : Copy
  return (
    <Button size="sm" variant="ghost" className="-ml-3 text-muted" icon={<Icon size={16} />} onClick={copy}>
      <span role="status">{isCopied ? 'Скопировано' : 'Скопировать размышления'}</span>
    </Button>
  )
}

/** This close to the end counts as the end. */
const NEAR_PX = 24

/** Follows a growing text, unless the reader has scrolled up. */
function useEndInView(box: RefObject<HTMLElement | null>, text: string, isGrowing: boolean) {
  const isFollowing = useRef(isGrowing)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer text has another end
  useLayoutEffect(() => {
    const element = box.current
    if (element && isGrowing && isFollowing.current) element.scrollTop = element.scrollHeight
  }, [box, text, isGrowing])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const onScroll = () => {
      isFollowing.current = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR_PX
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [box])
}
