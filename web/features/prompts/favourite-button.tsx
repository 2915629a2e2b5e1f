import type { Prompt } from '#contract/prompts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Star } from '#web/ui/icons.ts'
import { useFavourite } from './queries.ts'

interface FavouriteButtonProps {
  prompt: Pick<Prompt, 'id' | 'title' | 'favourite'>
  size?: 'md' | 'sm'
}

export function FavouriteButton({ prompt: { id, title, favourite }, size = 'sm' }: FavouriteButtonProps) {
  const mark = useFavourite()
  return (
    <IconButton
      size={size}
      className="max-frame:size-11"
      label={favourite ? `Убрать из избранного: ${title}` : `В избранное: ${title}`}
      aria-pressed={favourite}
      icon={<Star size={20} strokeWidth={1.8} className={favourite ? 'fill-warning text-warning' : undefined} />}
      onClick={() => mark.mutate({ id, favourite: !favourite })}
    />
  )
}
