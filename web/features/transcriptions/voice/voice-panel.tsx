import { type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Mic, Pause, Play, Square, Trash2 } from '#web/ui/icons.ts'
import { formatClock } from '../labels.ts'
import type { Recorder } from './recorder.ts'
import type { useRecorder } from './use-recorder.ts'

const BARS = 32
const quiet = { transform: 'scaleY(0.06)' }
const bars = Array.from({ length: BARS }, (_, index) => index)

export function VoicePanel({ voice }: { voice: ReturnType<typeof useRecorder> }) {
  const { state, recorder } = voice
  const isRunning = state === 'recording'
  return (
    <div className="flex flex-col items-center gap-4 rounded-lg border bg-surface px-4 py-6">
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        <span
          aria-hidden="true"
          className={
            isRunning
              ? 'size-2.5 animate-[breathe_1.6s_ease-in-out_infinite] rounded-full bg-danger'
              : 'size-2.5 rounded-full bg-line-strong'
          }
        />
        {state === 'asking' ? 'Разрешите доступ к микрофону' : isRunning ? 'Идёт запись' : 'Пауза'}
      </p>
      <Timer recorder={recorder} className="text-4xl font-medium" />
      <Levels recorder={recorder} isRunning={isRunning} className="h-12 w-full max-w-72 justify-center" />
      <div className="flex flex-wrap justify-center gap-2">
        {isRunning ? (
          <Button icon={<Pause size={18} />} onClick={voice.pause}>
            Пауза
          </Button>
        ) : (
          <Button icon={<Play size={18} />} disabled={state !== 'paused'} onClick={voice.resume}>
            Продолжить
          </Button>
        )}
        <Button
          variant="primary"
          icon={<Square size={18} />}
          busy={state === 'ending'}
          disabled={state === 'asking'}
          onClick={() => void voice.end(true)}
        >
          Закончить
        </Button>
        <Button
          variant="ghost"
          icon={<Trash2 size={18} />}
          disabled={state === 'asking' || state === 'ending'}
          onClick={() => void voice.end(false)}
        >
          Не сохранять
        </Button>
      </div>
    </div>
  )
}

interface RecorderViewProps {
  recorder: RefObject<Recorder | null>
  className?: string
}

/** The length so far, four times a second. */
export function useRecordedSeconds(recorder: RefObject<Recorder | null>): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(recorder.current?.seconds() ?? 0), 250)
    return () => clearInterval(timer)
  }, [recorder])
  return seconds
}

export function Timer({ recorder, className }: RecorderViewProps) {
  return (
    <p role="timer" aria-label="Длина записи" className={classNames('figures', className)}>
      {formatClock(useRecordedSeconds(recorder))}
    </p>
  )
}

/** Bars of the recent loudness. Updated without React because they change many times a second. */
export function Levels({ recorder, isRunning, className }: RecorderViewProps & { isRunning: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isRunning) return
    const heights = new Array<number>(BARS).fill(0)
    const timer = setInterval(() => {
      heights.push(recorder.current?.level() ?? 0)
      heights.shift()
      const shown = box.current?.children ?? []
      for (let i = 0; i < shown.length; i += 1) {
        const bar = shown[i]
        if (bar instanceof HTMLElement) bar.style.transform = `scaleY(${Math.max(0.06, heights[i] ?? 0)})`
      }
    }, 80)
    return () => clearInterval(timer)
  }, [recorder, isRunning])
  return (
    <div ref={box} aria-hidden="true" className={classNames('flex items-center gap-1', className)}>
      {bars.map((bar) => (
        <span
          key={bar}
          style={quiet}
          className="h-full w-1 shrink-0 rounded-full bg-accent-ink transition-transform duration-75"
        />
      ))}
    </div>
  )
}

interface RecorderErrorProps {
  voice: Pick<ReturnType<typeof useRecorder>, 'state' | 'start' | 'forget'>
  onClose?: () => void
}

export function RecorderError({ voice, onClose = voice.forget }: RecorderErrorProps) {
  if (voice.state !== 'denied' && voice.state !== 'missing') return null
  const isDenied = voice.state === 'denied'
  return (
    <Callout
      tone="warning"
      title={isDenied ? 'Браузер не пускает к микрофону' : 'Записать здесь не получится'}
      action={
        <>
          <Button size="sm" icon={<Mic size={16} />} onClick={() => void voice.start()}>
            Попробовать снова
          </Button>
          <Button size="sm" variant="ghost" onClick={onClose}>
            Закрыть
          </Button>
        </>
      }
    >
      {isDenied
        ? 'Разрешите микрофон для этого сайта: значок слева от адреса страницы, затем «Микрофон».'
        : 'Микрофон не найден, или браузер не умеет записывать. Запишите голос диктофоном и загрузите файл в «Расшифровке».'}
    </Callout>
  )
}
