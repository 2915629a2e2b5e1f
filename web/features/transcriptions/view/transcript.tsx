import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Segment, Speaker } from '#contract/transcriptions.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatClock, segmentAt } from '../labels.ts'
import { beginsTurn, speakerOf, turnBy } from '../speakers.ts'
import { type Find, useHitMarks } from './find-bar.tsx'
import type { Player } from './player-bar.tsx'
import { SpeakerMark } from './speaker-mark.tsx'
import { TurnDialog } from './turn-dialog.tsx'
import type { TranscriptText } from './use-autosave.ts'

interface TranscriptProps {
  transcript: TranscriptText
  speakers: readonly Speaker[]
  player: Player
  find: Find
  onCorrect: (transcript: TranscriptText) => void
}

/** The transcript: follows the player, plays from a line and is edited in place. */
export function Transcript({ transcript, onCorrect, ...rest }: TranscriptProps) {
  if (!transcript.segments)
    return <PlainText text={transcript.text} onCorrect={(text) => onCorrect({ text, segments: null })} />
  return <Segments segments={transcript.segments} onCorrect={onCorrect} {...rest} />
}

function Segments({
  segments,
  speakers,
  player,
  find,
  onCorrect,
}: Omit<TranscriptProps, 'transcript'> & { segments: Segment[] }) {
  const { at, isPlaying, playFrom } = player
  const current = at > 0 || isPlaying ? segmentAt(segments, at) : -1
  const list = useRef<HTMLOListElement>(null)
  const latest = useRef({ segments, onCorrect })
  latest.current = { segments, onCorrect }
  const [turn, setTurn] = useState<number | null>(null)
  useHitMarks(list, find)

  useEffect(() => {
    // Do not scroll away from a segment that is being edited.
    if (!isPlaying || list.current?.contains(document.activeElement)) return
    list.current?.children[current]?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [current, isPlaying])

  const change = useCallback((next: Segment[]) => {
    latest.current.onCorrect({ text: next.map((segment) => segment.text).join(' '), segments: next })
  }, [])
  const correct = useCallback(
    (index: number, text: string) =>
      change(latest.current.segments.map((segment, i) => (i === index ? { ...segment, text } : segment))),
    [change],
  )

  return (
    <>
      <ol ref={list} aria-label="Текст записи" className="-mx-2 flex flex-col">
        {segments.map((segment, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: segments are never reordered
            key={index}
            index={index}
            segment={segment}
            speaker={beginsTurn(segments, index) ? speakerOf(speakers, segment.speaker) : null}
            isCurrent={index === current}
            isFound={find.current?.segment === index}
            onPlay={playFrom}
            onTurn={setTurn}
            onCorrect={correct}
          />
        ))}
      </ol>
      {turn !== null && (
        <TurnDialog
          speakers={speakers}
          current={segments[turn]?.speaker ?? null}
          onChoose={(key) => change(turnBy(segments, turn, key))}
          onClose={() => setTurn(null)}
        />
      )}
    </>
  )
}

interface LineProps {
  index: number
  segment: Segment
  /** Whose turn begins with this line. */
  speaker: Speaker | null
  isCurrent: boolean
  isFound: boolean
  onPlay: (seconds: number) => void
  onTurn: (index: number) => void
  onCorrect: (index: number, text: string) => void
}

const Line = memo(function Line({ index, segment, speaker, isCurrent, isFound, onPlay, onTurn, onCorrect }: LineProps) {
  const box = useRef<HTMLDivElement>(null)
  // React must not overwrite the text being typed; only changes from elsewhere are applied.
  useLayoutEffect(() => {
    if (box.current && box.current.textContent !== segment.text) box.current.textContent = segment.text
  }, [segment.text])
  return (
    <li
      aria-current={isCurrent || undefined}
      className="scroll-mt-24 [contain-intrinsic-size:auto_2.25rem] [content-visibility:auto]"
    >
      {speaker && (
        <button
          type="button"
          aria-label={`${speaker.name}: изменить, кто говорит с ${formatClock(segment.start)}`}
          onClick={() => onTurn(index)}
          className={classNames(
            'flex max-w-full items-center gap-2 rounded-sm px-2 py-1 text-sm font-medium hover:bg-hover',
            index > 0 && 'mt-3',
          )}
        >
          <SpeakerMark color={speaker.color} />
          <span className="min-w-0 truncate">{speaker.name}</span>
        </button>
      )}
      <div
        className={classNames(
          'flex items-baseline gap-2 rounded-sm px-2 py-1 transition-colors',
          (isCurrent || isFound) && 'bg-accent-soft',
        )}
      >
        <button
          type="button"
          aria-label={`Слушать с ${formatClock(segment.start)}`}
          onClick={() => onPlay(segment.start)}
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
      </div>
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
