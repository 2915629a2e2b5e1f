/** The column of every section: the titles of all sections stand on one left edge. */
export const pageColumn = 'mx-auto w-full max-w-[1184px] flex-1 px-4 py-6 frame:p-8'

/** Text and forms, which are read line by line, from the same left edge. */
export const readingWidth = 'max-w-[672px]'
