import { type ReactNode, type TouchEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { Image } from '#contract/images.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ChevronLeft, ChevronRight } from '#web/ui/icons.ts'
import { besidePanel, FullScreen } from './full-screen.tsx'

interface LightboxProps {
  image: Image
  /** Neighbours in the gallery; null at its ends. */
  previous: string | null
  next: string | null
  onShow: (id: string) => void
  onClose: () => void
  /** The picture says that a model made it. */
  isNoted?: boolean
  children: ReactNode
}

const SWIPE = 50

/** An image in full size. Arrow keys and swipes show neighbours, Esc closes. */
export function Lightbox({ image, previous, next, onShow, onClose, isNoted = false, children }: LightboxProps) {
  const touch = useRef<{ x: number; y: number } | null>(null)
  const show = (id: string | null) => id && onShow(id)
  useArrowKeys(previous, next, show)

  function onTouchEnd({ changedTouches: { 0: end } }: TouchEvent) {
    const begin = touch.current
    touch.current = null
    if (!begin || !end) return
    const [x, y] = [end.clientX - begin.x, end.clientY - begin.y]
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) show(x > 0 ? previous : next)
  }

  return (
    <FullScreen title={`Изображение: ${image.prompt}`} onClose={onClose} className={besidePanel}>
      <div
        className="relative grid min-h-0 shrink-0 place-items-center bg-panel max-md:h-[62dvh] md:flex-1 md:shrink"
        onTouchStart={({ touches: { 0: begin } }) => {
          touch.current = begin ? { x: begin.clientX, y: begin.clientY } : null
        }}
        onTouchEnd={onTouchEnd}
      >
        <img
          key={image.id}
          src={image.url}
          alt={image.prompt}
          width={image.width}
          height={image.height}
          style={{ backgroundImage: `url("${image.thumbnailUrl}")` }}
          className="absolute inset-0 m-auto h-auto max-h-full w-auto max-w-full bg-cover object-contain"
        />
        {image.origin !== 'uploaded' && isNoted && (
          <span className="absolute bottom-2.5 left-2.5 rounded-sm bg-surface/85 px-2 py-1 text-sm">
            {image.origin === 'changed' ? 'Изменено нейросетью' : 'Создано нейросетью'}
          </span>
        )}
        <Arrow side="left" label="Предыдущее" id={previous} onShow={onShow} />
        <Arrow side="right" label="Следующее" id={next} onShow={onShow} />
      </div>
      <aside className="w-full p-5 md:w-88 md:shrink-0 md:overflow-y-auto md:pt-16">{children}</aside>
    </FullScreen>
  )
}

/** Listens on the window: a focused arrow button disappears at the end of the gallery. */
function useArrowKeys(left: string | null, right: string | null, show: (id: string | null) => void) {
  const newest = useEffectEvent((key: string) => {
    // The keys belong to a window over this one, such as the comparison.
    if (document.querySelectorAll('dialog[open]').length > 1) return
    if (key === 'ArrowLeft') show(left)
    if (key === 'ArrowRight') show(right)
  })
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => newest(key)
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

interface ArrowProps {
  side: 'left' | 'right'
  label: string
  id: string | null
  onShow: (id: string) => void
}

function Arrow({ side, label, id, onShow }: ArrowProps) {
  if (!id) return null
  const Icon = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <IconButton
      label={label}
      icon={<Icon size={22} />}
      onClick={() => onShow(id)}
      className={`absolute top-1/2 -translate-y-1/2 bg-surface/80 ${side === 'left' ? 'left-2.5' : 'right-2.5'}`}
    />
  )
}
