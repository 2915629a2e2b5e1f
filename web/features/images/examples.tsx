import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { FileInput } from '#web/ui/file-input.tsx'
import { Check, ImageUp } from '#web/ui/icons.ts'
import { imagesIn } from './image-pages.ts'
import { imagesQuery, PHOTO_TYPES, uploadImage } from './queries.ts'

interface ExamplesProps {
  chosen: string[]
  most: number
  /** The image that is changed. */
  without: string
  onChange: (ids: string[]) => void
}

/** Own images that the model looks at. */
export function Examples({ chosen, most, without, onChange }: ExamplesProps) {
  const client = useQueryClient()
  const { data } = useInfiniteQuery(imagesQuery(''))
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ isSending: boolean; error: string | null }>({ isSending: false, error: null })
  const images = imagesIn(data).filter(({ id, status }) => id !== without && status === 'ready')
  const isFull = chosen.length >= most
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, most))

  async function send([file]: File[]) {
    if (!file) return
    setState({ isSending: true, error: null })
    try {
      const { id } = await uploadImage(client, file)
      toggle(id)
      setState({ isSending: false, error: null })
    } catch (error) {
      setState({ isSending: false, error: callErrorText(error) })
    }
  }

  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">
        Образцы для модели:{' '}
        <span className="figures font-normal text-muted">
          {chosen.length === 0 ? `до ${most}` : `${chosen.length} из ${most}`}
        </span>
      </h3>
      {images.length > 0 && (
        <ul aria-label="Образцы" className="flex gap-2 overflow-x-auto no-scrollbar">
          {images.map(({ id, prompt, thumbnailUrl }) => {
            const isChosen = chosen.includes(id)
            return (
              <li key={id} className="shrink-0">
                <button
                  type="button"
                  aria-pressed={isChosen}
                  aria-label={`Образец: ${prompt}`}
                  disabled={!isChosen && isFull}
                  onClick={() => toggle(id)}
                  className="relative block size-16 overflow-hidden rounded-md border disabled:opacity-50 aria-pressed:border-accent-ink aria-pressed:ring-2 aria-pressed:ring-accent-ink"
                >
                  <img src={thumbnailUrl} alt="" loading="lazy" className="size-full object-cover" />
                  {isChosen && (
                    <span className="absolute right-1 bottom-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
                      <Check size={14} />
                    </span>
                  )}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <FileInput ref={input} label="Загрузить образец" accept={PHOTO_TYPES} onFiles={(files) => void send(files)} />
      <Button
        size="sm"
        busy={state.isSending}
        disabled={isFull}
        icon={<ImageUp size={16} />}
        onClick={() => input.current?.click()}
        className="w-fit"
      >
        Загрузить образец
      </Button>
      {state.error && (
        <p role="alert" className="text-sm text-danger">
          {state.error}
        </p>
      )}
    </section>
  )
}
