import { type ReactNode, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { Image, ImageOrder } from '#contract/images.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { useMakeImages } from './queries.ts'

/** Begins pictures and says in place why they were not begun. */
export function useMaker() {
  const { mutate, isPending } = useMakeImages()
  const [rejection, setRejection] = useState<ReactNode>(null)

  function make(order: Omit<ImageOrder, 'id'>, onMade: (images: Image[]) => void = () => undefined) {
    setRejection(null)
    mutate(order, { onSuccess: onMade, onError: (error) => setRejection(<Rejection error={error} />) })
  }

  return { make, isPending, rejection, forgive: () => setRejection(null) }
}

function Rejection({ error }: { error: Error }) {
  const isKnown = error instanceof ApiError
  return (
    <span role="alert" className="text-danger">
      {isKnown ? error.message : 'Нет связи с сервером. Проверьте интернет и повторите.'}{' '}
      {isKnown && error.code === 'out_of_symbols' && (
        <TextLink inText href={paths.profile()}>
          Пополнить
        </TextLink>
      )}
    </span>
  )
}
