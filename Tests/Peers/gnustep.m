/* GNUstep's predicates, asked by Tests/Peers/predicates.py and Tests/Benchmarks/predicates.py.
 *
 *   gnustep eval OBJECT.json                           a predicate a line in, its answer a line out
 *   gnustep parse|evaluate FORMAT OBJECT.json SECONDS  nanoseconds for each time
 *   gnustep repeat FORMAT OBJECT.json COUNT            evaluates so often
 *
 * A format may be `COUNT KEY NUMBER FORMAT`: whether filtering the array of that key leaves more than so many. That is
 * what SUBQUERY(…).@count asks, which GNUstep cannot read.
 */
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <time.h>

static id objectIn(const char *path) {
    NSData *data = [NSData dataWithContentsOfFile:[NSString stringWithUTF8String:path]];
    NSError *error = nil;
    id object = data ? [NSJSONSerialization JSONObjectWithData:data options:0 error:&error] : nil;
    if (object == nil) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    return object;
}

static void evaluateLines(id object) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        line[strcspn(line, "\n")] = 0;
        @try {
            NSString *format = [NSString stringWithUTF8String:line];
            NSPredicate *predicate = [NSPredicate predicateWithFormat:format argumentArray:[NSArray array]];
            puts([predicate evaluateWithObject:object] ? "true" : "false");
        } @catch (NSException *exception) {
            NSString *reason = [[exception reason] stringByReplacingOccurrencesOfString:@"\n" withString:@" "];
            printf("error %s\n", [reason UTF8String]);
        }
        fflush(stdout);
        [pool release];
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

typedef struct {
    NSString *format;
    NSPredicate *predicate;
    NSString *key;
    NSUInteger more;
} Question;

static Question questionOf(NSString *format) {
    Question question = {nil, nil, nil, 0};
    if ([format hasPrefix:@"COUNT "]) {
        NSArray *words = [format componentsSeparatedByString:@" "];
        question.key = [[words objectAtIndex:1] retain];
        question.more = [[words objectAtIndex:2] intValue];
        format = [[words subarrayWithRange:NSMakeRange(3, [words count] - 3)] componentsJoinedByString:@" "];
    }
    question.format = [format retain];
    question.predicate = [[NSPredicate predicateWithFormat:format argumentArray:[NSArray array]] retain];
    return question;
}

static BOOL answer(Question question, id object) {
    if (question.key == nil) return [question.predicate evaluateWithObject:object];
    NSArray *found = [[object valueForKey:question.key] filteredArrayUsingPredicate:question.predicate];
    return [found count] > question.more;
}

static void repeat(NSString *format, id object, long count) {
    Question question = questionOf(format);
    long held = 0;
    for (long i = 0; i < count; i++) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        held += answer(question, object);
        [pool release];
    }
    printf("%ld\n", held);
}

/* Rounds of 100 until the seconds of processor time are over; a pool for each, as a run loop has. */
static void measure(BOOL parses, NSString *format, id object, double seconds) {
    NSArray *none = [NSArray array];
    Question question = questionOf(format);
    long count = 0, held = 0;
    double start = now(), end = start;
    while (end - start < seconds) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        for (int i = 0; i < 100; i++) {
            if (parses) {
                held += [NSPredicate predicateWithFormat:question.format argumentArray:none] != nil;
            } else {
                held += answer(question, object);
            }
        }
        count += 100;
        [pool release];
        end = now();
    }
    printf("%.1f %s\n", (end - start) / count * 1e9, held == count ? "true" : held == 0 ? "false" : "both");
}

int main(int count, char **words) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    if (count == 3 && strcmp(words[1], "eval") == 0) {
        evaluateLines(objectIn(words[2]));
    } else if (count == 5) {
        @try {
            NSString *format = [NSString stringWithUTF8String:words[2]];
            id object = objectIn(words[3]);
            if (strcmp(words[1], "repeat") == 0) {
                repeat(format, object, atol(words[4]));
            } else {
                measure(strcmp(words[1], "parse") == 0, format, object, atof(words[4]));
            }
        } @catch (NSException *exception) {
            printf("error %s\n", [[exception reason] UTF8String]);
        }
    } else {
        fprintf(stderr, "usage: gnustep eval OBJECT.json | gnustep parse|evaluate|repeat FORMAT OBJECT.json AMOUNT\n");
        return 2;
    }
    [pool release];
    return 0;
}
