import { useContext, useState } from 'react'
import { ImageIcon } from '#web/ui/icons.ts'
import { OwnImageContext } from './own-image.ts'
import { type SafeImage, safeImage } from './safe-url.ts'

interface AnswerImageProps {
  url: string
  alt: string
  title?: string | null | undefined
}

/** An image of another site is loaded on click only: its URL may carry text of the chat to that site. */
export function AnswerImage({ url, alt, title }: AnswerImageProps) {
  const image = safeImage(url)
  const [isWanted, setWanted] = useState(false)
  const showOwn = useContext(OwnImageContext)
  if (!image) return <span title={title ?? undefined}>{alt}</span>
  const own = image.kind === 'own' ? showOwn(image.src, alt) : null
  if (own) return own
  if (image.kind === 'remote' && !isWanted)
    return (
      <button type="button" className="answer-image-box" title={title ?? undefined} onClick={() => setWanted(true)}>
        <ImageIcon size={20} />
        <span>
          {alt !== '' && <span className="block text-ink">{alt}</span>}
          Картинка с сайта {image.host} — <span className="underline">показать</span>
        </span>
      </button>
    )
  return <LoadedImage image={image} alt={alt} title={title} />
}

function LoadedImage({ image, alt, title }: { image: SafeImage; alt: string; title: string | null | undefined }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  if (state === 'failed')
    return (
      <span className="answer-image-box">
        <ImageIcon size={20} />
        <span>
          {alt !== '' && <span className="block text-ink">{alt}</span>}
          Картинка не загрузилась.{' '}
          {image.kind === 'remote' && (
            <a href={image.src} target="_blank" rel="noopener nofollow noreferrer">
              Открыть на сайте {image.host}
            </a>
          )}
        </span>
      </span>
    )
  return (
    <img
      src={image.src}
      alt={alt}
      title={title ?? undefined}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      data-loading={state === 'loading' || undefined}
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
    />
  )
}
