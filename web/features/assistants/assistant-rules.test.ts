import { describe, expect, test } from 'vitest'
import { AssistantDraft, MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import { assistantDraft, copyName, emptyDraft, readDraft, readStarters, writeStarters } from './assistant-draft.ts'
import { findByName } from './assistant-grid.tsx'
import { examples } from './examples.ts'
import { chooseFiles } from './file-choice.ts'
import { fileState, filesSummary } from './file-labels.ts'
import { assistantModels } from './form/assistant-fields.tsx'
import { moveLine } from './form/starters-field.tsx'

describe('the models offered for an assistant', () => {
  const model = { hidden: false, kind: 'text', canUseWithAssistant: true } as const

  test('leave out hidden models (S5.29)', () => {
    expect(assistantModels([model, { ...model, hidden: true }])).toEqual([model])
  })

  test('hold only models with canUseWithAssistant (S5.29)', () => {
    expect(assistantModels([model, { ...model, canUseWithAssistant: false }])).toEqual([model])
  })

  test('are text models', () => {
    expect(assistantModels([{ ...model, kind: 'image' as const }, model])).toEqual([model])
  })
})

describe('the form', () => {
  test('sends its values, without empty and repeated starters', () => {
    const draft = { ...emptyDraft, name: 'Юрист', starters: writeStarters(['Раз', '', ' Два ', 'Раз']) }
    expect(readDraft(draft)).toMatchObject({ name: 'Юрист', modelId: null, starters: ['Раз', 'Два'] })
  })

  test('keeps an assistant unchanged when it is opened and saved', () => {
    const assistant = {
      name: 'Юрист',
      description: 'Договоры',
      instructions: 'Кратко',
      avatar: '⚖️',
      starters: ['Раз', 'Два'],
      country: 'RU',
      searchWords: false,
    }
    expect(readDraft(assistantDraft(assistant, 'smart'))).toEqual({ ...assistant, modelId: 'smart' })
    expect(readDraft(assistantDraft({ ...assistant, searchWords: true }, 'smart'))).toMatchObject({ searchWords: true })
  })

  test('shows a starter that was just added', () => {
    expect(readStarters(emptyDraft.starters)).toEqual([])
    expect(readStarters(writeStarters(['']))).toEqual([''])
  })

  test('marks a copy once and keeps its name within the limit', () => {
    expect(copyName('Юрист', 80)).toBe('Юрист (копия)')
    expect(copyName('Юрист (копия)', 80)).toBe('Юрист (копия)')
    expect(copyName('а'.repeat(80), 80)).toHaveLength(80)
  })

  test('saves every example unchanged', () => {
    for (const example of examples) {
      const body = readDraft(assistantDraft(example, null))
      expect(AssistantDraft.safeParse(body).success, example.name).toBe(true)
    }
  })
})

test('a line moves only within the list', () => {
  expect(moveLine(['а', 'б', 'в'], 0, 1)).toEqual(['б', 'а', 'в'])
  expect(moveLine(['а', 'б', 'в'], 2, 1)).toEqual(['а', 'в', 'б'])
  expect(moveLine(['а', 'б'], 0, -1)).toEqual(['а', 'б'])
  expect(moveLine(['а', 'б'], 1, 2)).toEqual(['а', 'б'])
})

describe('files', () => {
  const file = (name: string, size = 10) => ({ name, size })

  test('documents are accepted, other files are refused with a reason', () => {
    const { taken, rejections } = chooseFiles(
      [file('a.pdf'), file('b.PNG'), file('e.mp3'), file('c.txt', 0), file('d.docx', 21 * 1024 * 1024)],
      0,
    )
    expect(taken).toEqual([file('a.pdf'), file('b.PNG')])
    expect(rejections).toEqual([
      'Файл «e.mp3» не подойдёт: нужны PDF, документы, таблицы, презентации, книги, тексты или фото.',
      'Файл «c.txt» пустой.',
      'Файл «d.docx» больше 20 МБ.',
    ])
  })

  test('there is room for twenty', () => {
    const { taken, rejections } = chooseFiles([file('a.txt'), file('b.txt')], MAX_LIBRARY_FILES - 1)
    expect(taken).toHaveLength(1)
    expect(rejections).toEqual(['Файлов может быть не больше 20.'])
  })

  test('each state has a label', () => {
    const state = { progress: 40, error: null, symbols: null }
    expect(fileState({ ...state, state: 'uploaded' })).toBe('Ждёт чтения')
    expect(fileState({ ...state, state: 'reading' })).toBe('Читается…')
    expect(fileState({ ...state, state: 'indexing' })).toBe('Индексируется, 40 %')
    expect(fileState({ ...state, state: 'ready', symbols: 1200 })).toBe('Готов · 1\u202f200\u00a0символов')
    expect(fileState({ ...state, state: 'failed', error: 'Нет текста.' })).toBe('Нет текста.')
  })

  test('a card says how many files there are and what failed', () => {
    const of = (...states: ('ready' | 'reading' | 'failed')[]) => states.map((state) => ({ state }))
    expect(filesSummary([], 0)).toBeNull()
    expect(filesSummary(of('ready'), 0)).toBe('1 файл')
    expect(filesSummary(of('ready', 'reading'), 0)).toBe('2 файла, 1 читается')
    expect(filesSummary(of('ready'), 4)).toBe('5 файлов, 4 загружаются')
    expect(filesSummary(of('ready', 'failed', 'reading'), 0)).toBe('3 файла, 1 не прочитан')
  })
})

test('a search finds names and descriptions in any case', () => {
  const all = [
    { name: 'Счётовод', description: 'Налоги и отчёты' },
    { name: 'Повар', description: 'Рецепты' },
  ]
  expect(findByName(all, 'счет НАЛОГ')).toEqual([all[0]])
  expect(findByName(all, '')).toEqual(all)
  expect(findByName(all, 'врач')).toEqual([])
})
