import { useCallback, useEffect, useRef, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { once } from '#web/lib/once.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Pause, Play, RotateCcw, RotateCw } from '#web/ui/icons.ts'
import { formatClock } from '../labels.ts'

const STEP = 10
const number = once(() => new Intl.NumberFormat('ru-RU'))

interface PlayerBarProps {
  src: string
  player: Player
  className: string
}

export function PlayerBar({ src, player, className }: PlayerBarProps) {
  const { audio, isPlaying, at, length, speed, seek, toggle, faster, isBroken } = player
  return (
    <section
      aria-label="Проигрыватель"
      className={classNames('flex flex-col gap-1 rounded-md border bg-surface px-3 py-2', className)}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is beside it, or not made yet */}
      <audio ref={audio} preload="metadata" src={src} />
      {isBroken ? (
        <p className="py-2 text-sm text-muted">
          Этот браузер не умеет проигрывать такую запись. На текст это не влияет.
        </p>
      ) : (
        <div className="flex items-center gap-1 sm:gap-2">
          <IconButton
            label={`Назад на ${STEP} секунд`}
            icon={<RotateCcw size={20} />}
            onClick={() => seek(at - STEP)}
            className="max-sm:hidden"
          />
          <IconButton
            label={isPlaying ? 'Остановить' : 'Слушать'}
            icon={isPlaying ? <Pause size={22} /> : <Play size={22} />}
            onClick={toggle}
            className="bg-accent text-on-accent hover:bg-accent-hover hover:text-on-accent"
          />
          <IconButton
            label={`Вперёд на ${STEP} секунд`}
            icon={<RotateCw size={20} />}
            onClick={() => seek(at + STEP)}
            className="max-sm:hidden"
          />
          <span className="figures min-w-8 text-right text-sm text-muted">{formatClock(at)}</span>
          <input
            type="range"
            aria-label="Место в записи"
            aria-valuetext={`${formatClock(at)} из ${formatClock(length)}`}
            min={0}
            max={Math.max(length, at, 0.1)}
            step={0.1}
            value={at}
            onChange={(event) => seek(Number(event.target.value))}
            className="h-6 min-w-0 flex-1 accent-accent-ink"
          />
          <span className="figures min-w-8 text-sm text-muted">{formatClock(length)}</span>
          <button
            type="button"
            aria-label={`Скорость: ${number().format(speed)}. Изменить`}
            title="Скорость"
            onClick={faster}
            className="figures h-10 w-11 shrink-0 rounded-md text-sm text-muted hover:bg-hover hover:text-ink"
          >
            ×{number().format(speed)}
          </button>
        </div>
      )}
    </section>
  )
}

const SPEEDS = [1, 1.25, 1.5, 2, 0.75]

export function usePlayer(knownSeconds: number | null) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(knownSeconds ?? 0)
  const [speed, setSpeed] = useState(1)
  const [isBroken, setBroken] = useState(false)

  useEffect(() => {
    const element = audio.current
    if (!element) return
    const receive: Partial<Record<keyof HTMLMediaElementEventMap, () => void>> = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      ended: () => setPlaying(false),
      timeupdate: () => setAt(element.currentTime),
      seeked: () => setAt(element.currentTime),
      // Recordings made by a browser have no duration; the server's is used then.
      loadedmetadata: () => setLength(Number.isFinite(element.duration) ? element.duration : (knownSeconds ?? 0)),
      error: () => setBroken(true),
    }
    for (const [name, listener] of Object.entries(receive)) element.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(receive)) element.removeEventListener(name, listener)
    }
  }, [knownSeconds])

  const seek = useCallback((seconds: number) => {
    if (!audio.current) return
    audio.current.currentTime = Math.max(0, seconds)
    setAt(Math.max(0, seconds))
  }, [])
  const playFrom = useCallback(
    (seconds: number) => {
      seek(seconds)
      void audio.current?.play().catch(() => undefined)
    },
    [seek],
  )
  const toggle = useCallback(() => {
    const element = audio.current
    if (element?.paused) void element.play().catch(() => undefined)
    else element?.pause()
  }, [])
  function faster() {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1
    if (audio.current) audio.current.playbackRate = next
    setSpeed(next)
  }
  return { audio, isPlaying, at, length, speed, isBroken, seek, playFrom, toggle, faster }
}

export type Player = ReturnType<typeof usePlayer>
