import { memo, useCallback, useEffect, useRef } from 'react'
import type { Segment } from '#contract/transcriptions.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatClock, segmentAt } from '../labels.ts'
import type { Player } from './player-bar.tsx'
import type { TranscriptText } from './use-autosave.ts'

interface TranscriptProps {
  transcript: TranscriptText
  player: Player
  onCorrect: (transcript: TranscriptText) => void
}

/** The transcript: follows the player, seeks on click and is edited in place. */
export function Transcript({ transcript, player, onCorrect }: TranscriptProps) {
  if (!transcript.segments)
    return <PlainText text={transcript.text} onCorrect={(text) => onCorrect({ text, segments: null })} />
  return <Segments segments={transcript.segments} player={player} onCorrect={onCorrect} />
}

function Segments({ segments, player, onCorrect }: Omit<TranscriptProps, 'transcript'> & { segments: Segment[] }) {
  const { at, isPlaying, seek } = player
  const current = at > 0 || isPlaying ? segmentAt(segments, at) : -1
  const list = useRef<HTMLOListElement>(null)
  const latest = useRef({ segments, onCorrect })
  latest.current = { segments, onCorrect }

  useEffect(() => {
    // Do not scroll away from a segment that is being edited.
    if (!isPlaying || list.current?.contains(document.activeElement)) return
    list.current?.children[current]?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [current, isPlaying])

  const correct = useCallback((index: number, text: string) => {
    const { segments: before, onCorrect: notify } = latest.current
    const next = before.map((segment, i) => (i === index ? { ...segment, text } : segment))
    notify({ text: next.map((segment) => segment.text).join(' '), segments: next })
  }, [])

  return (
    <ol ref={list} aria-label="Текст записи" className="-mx-2 flex flex-col">
      {segments.map((segment, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: segments are never reordered
          key={index}
          index={index}
          segment={segment}
          isCurrent={index === current}
          onSeek={seek}
          onCorrect={correct}
        />
      ))}
    </ol>
  )
}

interface LineProps {
  index: number
  segment: Segment
  isCurrent: boolean
  onSeek: (seconds: number) => void
  onCorrect: (index: number, text: string) => void
}

const Line = memo(function Line({ index, segment, isCurrent, onSeek, onCorrect }: LineProps) {
  const box = useRef<HTMLDivElement>(null)
  // React must not overwrite the text being typed; only changes from elsewhere are applied.
  useEffect(() => {
    if (box.current && box.current.textContent !== segment.text) box.current.textContent = segment.text
  }, [segment.text])
  return (
    <li
      aria-current={isCurrent || undefined}
      className={classNames(
        'flex scroll-mt-24 items-baseline gap-2 rounded-sm px-2 py-1 transition-colors [content-visibility:auto] [contain-intrinsic-size:auto_2.25rem]',
        isCurrent && 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        aria-label={`Слушать с ${formatClock(segment.start)}`}
        onClick={() => onSeek(segment.start)}
        className="figures shrink-0 rounded-xs py-1 text-sm text-accent-ink hover:underline"
      >
        {formatClock(segment.start)}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a thousand text areas would be too slow */}
      <div
        ref={box}
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={`Текст с ${formatClock(segment.start)}`}
        contentEditable="plaintext-only"
        suppressContentEditableWarning
        spellCheck
        onInput={(event) => onCorrect(index, event.currentTarget.textContent ?? '')}
        className="min-w-0 flex-1 rounded-xs px-1 py-0.5 whitespace-pre-wrap wrap-anywhere hover:bg-hover focus:bg-page"
      />
    </li>
  )
})

function PlainText({ text, onCorrect }: { text: string; onCorrect: (text: string) => void }) {
  return (
    <textarea
      aria-label="Текст записи"
      value={text}
      onChange={(event) => onCorrect(event.target.value)}
      className="field-sizing-content min-h-40 w-full resize-y rounded-md border border-line bg-surface p-4 leading-relaxed"
    />
  )
}
